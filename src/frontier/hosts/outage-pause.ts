/** Bounds of the pause between two requests to a host that is away, in milliseconds. */
const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/**
 * Returns the milliseconds until a host that is away is requested again: as long as it has been away, within bounds,
 * and at most until the patience ends.
 * @param awayFor milliseconds since the host went away
 * @param patience milliseconds to wait for the host
 */
export function outagePause(awayFor: number, patience: number): number {
  return Math.max(0, Math.min(Math.max(awayFor, MIN_PAUSE_MS), MAX_PAUSE_MS, patience - awayFor))
}
