import type { FetchFailure } from './fetch-failure.ts'
import type { ResponseHeaders } from './fetcher.ts'

/** The header of a response as it was received, except the status. */
export interface RawHead {
  /** The reason phrase of the status line. */
  readonly reason: string
  /** True for HTTP/2, which has no reason phrase. */
  readonly isHttp2: boolean
  /** The IP address that the connection led to: that of the server, or of a proxy. */
  readonly remoteAddress?: string | undefined
  /** Names and values alternately, as they were received. */
  readonly fields: readonly string[]
}

/** A response without its body. */
export interface ResponseHead {
  readonly status: number
  readonly headers: ResponseHeaders
  /** The header as it was received, if an archive is written. */
  readonly head?: RawHead | undefined
  /** Milliseconds from the request to the end of the body. */
  readonly ms: number
  /** Number of bytes of the body that were received. */
  readonly received: number
  /** True if the rest of the body was not read or not received. */
  readonly truncated: boolean
  /** The reason why the body broke off. */
  readonly failure?: FetchFailure | undefined
  /** SHA-256 of a body that was not kept, in hexadecimal, if digests were requested. */
  readonly digest?: string | undefined
  /** The first bytes of a body that was not kept, if they were requested. */
  readonly start?: Buffer | undefined
}

/** A response as it was received. Its body is not decoded yet, and empty if it was not kept. */
export type RawResponse = ResponseHead & { readonly body: Buffer }
