import type { Dispatcher } from 'undici'
import type { BodySlot } from '../../wire/body-slots.ts'
import type { FetchFailure } from './fetch-failure.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What stands behind the status, and the fields of the header as undici has them. */
export interface RawHead {
  readonly reason: string
  readonly fields: Dispatcher.DispatchController['rawHeaders']
}

/** An answer as it came, its body still coded. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  /** Status line and header as they came, where they are wanted. */
  readonly head?: RawHead
  /** Empty when the body was not kept. */
  readonly body: Buffer
  /** What the body lies in when it is large: whoever gets the answer has to release it. */
  readonly slot: BodySlot | undefined
  /** Bytes received of the body. */
  readonly received: number
  /** The body was longer than the limit, and the rest was not read; or it broke off. */
  readonly truncated: boolean
  /** Why the body broke off. */
  readonly failure?: FetchFailure
  /** SHA-256 of a body that was not kept, in hexadecimal, where it was wanted. */
  readonly digest?: string
}
