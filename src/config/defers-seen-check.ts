import type { Config } from './schema.ts'

/** The settings that decide when links are checked against the seen set and added to it. */
export type SeenCheckSettings = Pick<Config, 'contentDedup' | 'deterministic' | 'followDuplicates'>

/**
 * Returns whether links are checked against and added to the seen set only when the outcome of their page is applied.
 * The page may be a duplicate, or has to wait for its turn in a deterministic crawl.
 */
export function defersSeenCheck(settings: SeenCheckSettings): boolean {
  const { contentDedup, deterministic, followDuplicates } = settings
  return deterministic || (contentDedup !== undefined && !followDuplicates)
}
