import type { Dispatcher } from 'undici'
import type { ReceivedBody } from './body.ts'
import type { FetchFailure } from './fetch-failure.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What stands behind the status, and the fields of the header as undici has them. */
export interface RawHead {
  readonly reason: string
  readonly fields: Dispatcher.DispatchController['rawHeaders']
}

/** An answer as it came, its body still coded; empty when it was not kept. */
export type RawAnswer = Received & ReceivedBody

interface Received {
  readonly status: number
  readonly headers: Headers
  /** Status line and header as they came, where they are wanted. */
  readonly head?: RawHead
  /** Milliseconds from the request to the end of the body. */
  readonly ms: number
  /** Bytes received of the body. */
  readonly received: number
  /** The body was longer than the limit, and the rest was not read; or it broke off. */
  readonly truncated: boolean
  /** Why the body broke off. */
  readonly failure?: FetchFailure
  /** SHA-256 of a body that was not kept, in hexadecimal, where it was wanted. */
  readonly digest?: string
}
