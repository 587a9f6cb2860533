/** Seen sets by name; those of `redis-` are shared by the processes of a job. */
export const SEEN_SETS = [
  ...(['bloom-growing', 'bloom', 'bloom-counting', 'bloom-aging'] as const),
  ...(['digest', 'exact', 'sqlite', 'hybrid'] as const),
  ...(['redis-bloom', 'redis-set', 'redis-keys'] as const),
] as const
