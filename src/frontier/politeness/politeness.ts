import type { TrapLimits } from '../../traps/trap-limits.ts'

/** How hosts are to be treated. */
export interface Manners {
  /** Requests in flight per host. */
  readonly perHost: number
  /** Pause between two requests to a host, in milliseconds. */
  readonly delay: number
  /** Pages that are asked of a host. */
  readonly maxPerHost?: number | undefined
  /** Failures in a row after which a host is given up. */
  readonly maxHostErrors?: number
  /** Milliseconds that a host may ask to be left alone for. */
  readonly maxRetryAfter?: number
  /** Milliseconds that a host which stops answering is waited for. */
  readonly hostPatience?: number
  /** Whether robots.txt is not even asked for. */
  readonly ignoreRobots?: boolean
  /** Whether the pause follows the latency of the host. */
  readonly adaptive?: boolean
  /** Whether hosts at the same address count as one. */
  readonly perIp?: boolean
  /** Whether URL spaces without end are recognised and left. */
  readonly traps?: boolean
  /** How much evidence that takes. */
  readonly trapLimits?: TrapLimits | undefined
  /** Hosts in memory from which on others wait in the database for a place. */
  readonly hostsInMemory?: number
  /** Whether URLs are settled in one order: see turns.ts. */
  readonly deterministic?: boolean
}
