/** The evidence that it takes to recognize a trap. Visits are those of one pattern; shares are of its recent visits. */
export interface TrapLimits {
  /** Number of visits that count as recent: the length of the exponential window. */
  readonly window: number
  /** Visits in a row without new content after which URLs of a pattern don't count as new for others. */
  readonly dullVisits: number
  /**
   * Visits, and share of them with something new, from which a pattern is deferred, if it leads ever deeper as a
   * calendar does from month to month.
   */
  readonly suspectVisits: number
  readonly suspectNovelty: number
  /** Visits and share from which such a pattern is dropped. */
  readonly trapVisits: number
  readonly trapNovelty: number
  /** Depth that a pattern has gained since it began, from which it leads ever deeper. */
  readonly deepLinks: number
  /** Factor for the visits that other patterns take: finite sites are wide, and few of them are deep. */
  readonly wide: number
  /** Share of its URLs to which its own pages must have linked first: the links of other pages come to an end. */
  readonly selfNamed: number
  /**
   * Visits without a URL of another pattern, after which a pattern counts as a maze and is deferred, though its
   * pages have content of their own. It is not dropped: a real archive may look like this.
   */
  readonly mazeVisits: number
  /** Share of links that are new in a maze. Where people write, pages link to each other. */
  readonly mazeNewLinks: number
}

/** Limits for a pattern, and for everything below a directory. */
export interface TreeLimits {
  readonly own: TrapLimits
  readonly below: TrapLimits
}

/**
 * These limits are generous. A site of tables or numbers may have thousands of pages without a text of their own,
 * and a page that is dropped is lost, whereas a trap only costs time: 2,000 visits in a row in a calendar, 20,000
 * in a maze. The means settle within a few windows.
 */
export const TRAP_LIMITS: TrapLimits = {
  window: 128,
  dullVisits: 64,
  suspectVisits: 500,
  suspectNovelty: 0.05,
  trapVisits: 2_000,
  trapNovelty: 0.02,
  deepLinks: 100,
  wide: 10,
  selfNamed: 0.5,
  mazeVisits: 1_000,
  mazeNewLinks: 0.8,
}

/** Returns limits that take `times` as many visits: a directory may contain more than the trap. */
export function slower(limits: TrapLimits, times: number): TrapLimits {
  return {
    ...limits,
    window: limits.window * times,
    dullVisits: limits.dullVisits * times,
    suspectVisits: limits.suspectVisits * times,
    trapVisits: limits.trapVisits * times,
    trapNovelty: limits.trapNovelty / times,
    mazeVisits: limits.mazeVisits * times,
  }
}
