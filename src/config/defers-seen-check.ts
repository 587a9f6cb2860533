import type { Config } from './schema.ts'

/** The settings that decide when links are tested and marked as seen. */
export type SeenCheckSettings = Pick<Config, 'contentDedup' | 'deterministic' | 'followDuplicates'>

/**
 * Returns whether links are tested and marked as seen only when their page is settled: it may be a duplicate, or have
 * to wait for its turn.
 */
export function defersSeenCheck(settings: SeenCheckSettings): boolean {
  const { contentDedup, deterministic, followDuplicates } = settings
  return deterministic || (contentDedup !== undefined && !followDuplicates)
}
