/** Share of `--lease` for which a lease lasts: within the rest, others notice its end and request the host. */
const LASTS = 3 / 4
/** Share of `--lease` after which a lease is renewed: a process that is stopped for half of `--lease` keeps its hosts. */
const RENEWED_AFTER = 1 / 10

/** How long leases last in the time of `--lease`, in milliseconds. */
export interface LeaseTimes {
  /** Length of a lease. */
  readonly ttl: number
  /** Age at which a lease is renewed. */
  readonly renewAfter: number
}

/**
 * Returns how long leases last, so that the hosts of a process that dies are requested by others within a time.
 * @param lease that time, in milliseconds
 */
export function leaseTimes(lease: number): LeaseTimes {
  return { ttl: Math.round(LASTS * lease), renewAfter: RENEWED_AFTER * lease }
}
