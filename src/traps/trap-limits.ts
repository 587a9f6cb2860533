/** How much evidence it takes. Visits are those of one pattern; shares are of its recent visits. */
export interface TrapLimits {
  /** Visits that "recent" means: the length of the exponential window. */
  readonly window: number
  /** After so many visits in a row without fresh content, URLs of a pattern are no news to others. */
  readonly dullVisits: number
  /**
   * Visits, and share of them with something new, from which a pattern waits for its host's rest: of one
   * that leads ever deeper, as a calendar does from month to month.
   */
  readonly suspectVisits: number
  readonly suspectNovelty: number
  /** Visits and share from which it is dropped. */
  readonly trapVisits: number
  readonly trapNovelty: number
  /** Links from where the pattern began to where it has come, from which it leads ever deeper. */
  readonly deepLinks: number
  /** Times as many visits that it takes otherwise: finite sites are wide, and few of them are deep. */
  readonly wide: number
  /** Share of its URLs that it must have named itself: what others name comes to an end. */
  readonly selfNamed: number
  /**
   * Visits without a URL outside, for a maze whose pages have content of their own and name new URLs only, all of its own
   * pattern. So may a real archive: it only waits.
   */
  readonly mazeVisits: number
  /** Share of links that are new: where people write, pages name each other. */
  readonly mazeNewLinks: number
}

/** Limits of patterns, and of all that is below a directory. */
export interface TreeLimits {
  readonly own: TrapLimits
  readonly below: TrapLimits
}

/**
 * Generous, for a site of tables or numbers may have thousands of pages without a text of their own,
 * and what is dropped is lost, whereas a trap only costs time: 2,000 visits in a row as a calendar, 20,000
 * as a maze. The means settle within a few windows.
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

/** Limits that take `times` as many visits: a pattern that holds others may hold more than the trap. */
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
