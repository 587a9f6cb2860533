import type { FailedHost } from './failed-host.ts'
import type { FailureSignal, Presence } from './host-availability.ts'

/** The sign of an attempt about the availability of its host. */
export interface AttemptSign {
  readonly presence: Presence
  /** The cause of the failure. */
  readonly why: string
  readonly kind: FailureSignal
  /** True if no further attempt follows. */
  readonly isFinal: boolean
  /** True if the outcome counts even if the host is away: it has links, or the host asks for too long a pause. */
  readonly countsAnyway: boolean
}

/** The sign of a probe about the availability of its host. */
export type ProbeSign = Pick<AttemptSign, 'presence' | 'why'> & {
  /** Pause that the host asks for, in milliseconds. */
  readonly retryAfter: number
  /** True if the host is certainly away. Otherwise it may only lack support for HEAD. */
  readonly isConclusive: boolean
}

/** A host that went away, came back or was given up. */
export type HostChange =
  | { readonly type: 'away'; readonly key: string; readonly waiting: number; readonly why: string }
  | { readonly type: 'back'; readonly key: string; readonly ms: number }
  | { readonly type: 'given-up'; readonly host: FailedHost }

/** The consequences of an attempt. */
export interface AttemptVerdict {
  /** `count`: the outcome counts. `hold`: the host must be probed first. `put-back`: the URL waits for its host. */
  readonly outcome: 'count' | 'hold' | 'put-back'
  /** Ids of URLs whose failures were held and count now. */
  readonly counted: readonly number[]
  readonly changes: readonly HostChange[]
}

/** The consequences of a probe. */
export interface ProbeVerdict {
  /** Ids of URLs whose failures were held and count now. */
  readonly counted: readonly number[]
  /** Ids of URLs that wait again, since their host has failed. */
  readonly putBack: readonly number[]
  readonly changes: readonly HostChange[]
}
