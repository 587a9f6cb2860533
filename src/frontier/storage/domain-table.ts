/** The table of the numbers of pages that were requested from registrable domains. */
export interface DomainTable {
  /** Returns the number of pages of a domain; 0 if it has no row. */
  get(domain: string): number
  /** Stores the number of pages of a domain. */
  put(domain: string, pages: number): void
}
