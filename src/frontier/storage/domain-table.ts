/** The table of pages that were requested of registrable domains. */
export interface DomainTable {
  /** Returns the pages of a domain; 0 when it has no row. */
  get(domain: string): number
  /** Stores the pages of a domain. */
  put(domain: string, pages: number): void
}
