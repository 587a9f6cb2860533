/**
 * Fraction of `--lease` for which a lease lasts. In the rest of that time, others notice its end and request the host.
 */
const LASTS = 3 / 4
/**
 * Fraction of `--lease` after which a lease is renewed. A process that is stopped for half of `--lease` keeps its
 * hosts.
 */
const RENEWED_AFTER = 1 / 10

/** Times of a lease, in milliseconds. */
export interface LeaseTimes {
  /** Length of a lease. */
  readonly ttl: number
  /** Age at which a lease is renewed. */
  readonly renewAfter: number
}

/**
 * Returns the times of a lease, chosen so that others request the hosts of a dead process within `lease`.
 * @param lease milliseconds of `--lease`
 */
export function leaseTimes(lease: number): LeaseTimes {
  return { ttl: Math.round(LASTS * lease), renewAfter: RENEWED_AFTER * lease }
}
