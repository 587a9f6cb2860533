import type { FetchFailure } from './fetch-failure.ts'
import type { ResponseHeaders } from './fetcher.ts'

/** What a header holds beside the status and the fields by name. */
export interface RawHead {
  /** The reason phrase of the status line. */
  readonly reason: string
  /** True for HTTP/2, which has no reason phrase. */
  readonly isHttp2: boolean
  /** Names and values in turns, as they were received. */
  readonly fields: readonly string[]
}

/** What is known of a response beside its body. */
export interface ResponseHead {
  readonly status: number
  readonly headers: ResponseHeaders
  /** The header as it was received, if an archive is written. */
  readonly head?: RawHead | undefined
  /** Milliseconds from the request to the end of the body. */
  readonly ms: number
  /** Bytes received of the body. */
  readonly received: number
  /** True if the rest of the body was not read, or did not come. */
  readonly truncated: boolean
  /** Why the body broke off. */
  readonly failure?: FetchFailure | undefined
  /** SHA-256 of a body that was not kept, in hexadecimal, if digests were asked for. */
  readonly digest?: string | undefined
  /** The first bytes of a body that was not kept, if they were asked for. */
  readonly start?: Buffer | undefined
}

/** A response as it was received, its body still coded; empty when it was not kept. */
export type RawResponse = ResponseHead & { readonly body: Buffer }
