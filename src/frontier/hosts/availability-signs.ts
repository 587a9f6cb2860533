import type { FailureSignal, Presence } from './host-down-detector.ts'
import type { FailedHost } from './host-health.ts'

/** The sign of its host that an attempt gives. */
export interface AttemptSign {
  readonly presence: Presence
  /** The cause of the failure. */
  readonly why: string
  readonly kind: FailureSignal
  /** No further attempt will be made. */
  readonly isFinal: boolean
  /** The outcome counts even if the host is away: it has found links, or the host asks for too long a pause. */
  readonly countsAnyway: boolean
}

/** The sign of its host that a probe gives. */
export type ProbeSign = Pick<AttemptSign, 'presence' | 'why'> & {
  /** Pause that the host asks for, in milliseconds. */
  readonly retryAfter: number
  /** True when the host is surely away; otherwise it may just not know HEAD. */
  readonly isConclusive: boolean
}

/** A host that went away, came back or was given up. */
export type HostChange =
  | { readonly type: 'away'; readonly key: string; readonly waiting: number; readonly why: string }
  | { readonly type: 'back'; readonly key: string; readonly ms: number }
  | { readonly type: 'given-up'; readonly host: FailedHost }

/** The consequences of an attempt. */
export interface AttemptVerdict {
  /** `count`: the outcome counts. `hold`: its host has to be probed first. `put-back`: its URL waits for its host. */
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
