/** How much evidence it takes. Visits are those of one pattern; shares are of its recent visits. */
export interface TrapLimits {
  /** Visits that "recent" means: the length of the exponential window. */
  readonly window: number
  /** After so many visits in a row without fresh content, URLs of a pattern are no news to others. */
  readonly dullVisits: number
  /** Visits, and share of them with something new, from which a pattern waits for its host's rest. */
  readonly suspectVisits: number
  readonly suspectNovelty: number
  /** Visits and share from which it is dropped. */
  readonly trapVisits: number
  readonly trapNovelty: number
  /** Share of its URLs that it must have named itself: what others name comes to an end. */
  readonly selfNamed: number
  /** Mean repeats in a URL, or its mean length, that make a path that deepens without end. */
  readonly deepRepeats: number
  readonly deepLength: number
  /** Visits without a URL outside, for paths that deepen though each page has content of its own. */
  readonly deepVisits: number
  /**
   * The same for a maze, whose pages have content of their own and name new URLs only, all of its own
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
 * Five large sites of documentation stay whole with limits eight times as strict: all visits divided
 * by eight. The means settle within a few windows, hence visits of several windows to be dropped. A
 * real path of 16 repeated names or 1,024 characters has not been met.
 */
export const TRAP_LIMITS: TrapLimits = {
  window: 128,
  dullVisits: 64,
  suspectVisits: 200,
  suspectNovelty: 0.05,
  trapVisits: 600,
  trapNovelty: 0.02,
  selfNamed: 0.5,
  deepRepeats: 16,
  deepLength: 1_024,
  deepVisits: 400,
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
    deepVisits: limits.deepVisits * times,
    mazeVisits: limits.mazeVisits * times,
  }
}
