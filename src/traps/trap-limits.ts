/** The evidence that is needed to recognize a trap. Visits are visits of one pattern; shares refer to recent visits. */
export interface TrapLimits {
  /** Number of visits that count as recent, which is the length of the exponential window. */
  readonly window: number
  /** Consecutive visits without new content after which URLs of a pattern don't count as new for other patterns. */
  readonly dullVisits: number
  /**
   * Minimum number of visits before a pattern is deferred. This and `trapVisits` apply to patterns that lead ever
   * deeper, such as a calendar with a link to the next month.
   */
  readonly suspectVisits: number
  /** Share of visits with something new below which a pattern is deferred. */
  readonly suspectNovelty: number
  /** Minimum number of visits before a pattern is dropped. */
  readonly trapVisits: number
  /** Share of visits with something new below which a pattern is dropped. */
  readonly trapNovelty: number
  /** Increase in depth since the first visit from which a pattern counts as leading ever deeper. */
  readonly deepLinks: number
  /** Factor for the visits that other patterns need: finite sites are often wide, but rarely deep. */
  readonly wideFactor: number
  /** Minimum share of a trap's URLs that were found on its own pages. Links on other pages come to an end. */
  readonly selfDiscovered: number
  /**
   * Visits without a new URL of another pattern after which a pattern counts as a maze. A maze is deferred even if its
   * pages have new content. Only if they have none, it is dropped after twice as many visits, once a path through it has
   * gone on for `deepLinks` more links: in a real archive, each path soon ends.
   */
  readonly mazeVisits: number
  /** Minimum share of links that are new in a maze. Pages that people write link to known pages more often. */
  readonly mazeNewLinks: number
}

/** The limits for a pattern (`own`), and for everything below a directory (`below`). */
export interface TreeLimits {
  readonly own: TrapLimits
  readonly below: TrapLimits
}

/**
 * The limits that are used. They are generous: a site of tables or numbers may have thousands of pages without a new
 * text, and a dropped page is lost, whereas a trap only costs time (2,000 visits in a row in a calendar, 20,000 in a
 * wide trap). The exponential means settle within a few windows.
 */
export const TRAP_LIMITS: TrapLimits = {
  window: 128,
  dullVisits: 64,
  suspectVisits: 500,
  suspectNovelty: 0.05,
  trapVisits: 2_000,
  trapNovelty: 0.02,
  deepLinks: 100,
  wideFactor: 10,
  selfDiscovered: 0.5,
  mazeVisits: 1_000,
  mazeNewLinks: 0.7,
}

/** Factor for the evidence that is needed to drop everything below a directory, which may contain more than the trap. */
const BELOW = 4

/** Returns the limits of a tree. For a maze, a path that doesn't end is evidence enough, below a directory, too. */
export function treeLimits(own: TrapLimits): TreeLimits {
  const below = {
    ...own,
    window: own.window * BELOW,
    dullVisits: own.dullVisits * BELOW,
    suspectVisits: own.suspectVisits * BELOW,
    trapVisits: own.trapVisits * BELOW,
    trapNovelty: own.trapNovelty / BELOW,
  }
  return { own, below }
}
