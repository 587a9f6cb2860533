import type { FetchFailure } from '../../../../src/fetch/fetch-failure.ts'
import type { ResponseHeaders } from '../../../../src/fetch/fetcher.ts'
import { ResponseReader } from '../../../../src/fetch/http/http1/response-reader.ts'

/** The result of reading the response to one request. */
export interface ReadResult {
  /** Status codes of all responses, interim ones included. */
  readonly statuses: readonly number[]
  /** The header of the last response. */
  readonly headers: ResponseHeaders
  readonly body: string
  /** Where the response ends: after a number of bytes, or with the connection; undefined if it is incomplete. */
  readonly end: number | 'connection-end' | undefined
  /** True if the connection may be used again. */
  readonly isKept: boolean
  /** The code of the failure if the bytes were refused. */
  readonly refused: string | undefined
}

/** Splits bytes at these indexes. */
export function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts, bytes.length].map((cut) => Math.min(cut, bytes.length)).sort(byNumber)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

function byNumber(first: number, second: number): number {
  return first - second
}

/**
 * Reads the response to one request from pieces, as a connection would, and then the end of the connection. Bytes after
 * the response are not read. The end of the result is that of the piece in which the response ends.
 */
export function readResponse(pieces: readonly Buffer[], isHead = false): ReadResult {
  const result = {
    statuses: [] as number[],
    headers: {} as ResponseHeaders,
    body: '',
    end: undefined as ReadResult['end'],
    isKept: false,
    refused: undefined as string | undefined,
  }
  let read = 0
  let isRead = false
  const reader = new ResponseReader({
    onHead(head) {
      result.statuses.push(head.status)
      result.headers = head.headers
      result.isKept = head.keepAliveMs > 0
    },
    onBody(bytes) {
      result.body += bytes.toString('latin1')
    },
    onEnd() {
      result.end = read
      isRead = true
      reader.stop()
    },
  })
  reader.begin(isHead)
  try {
    for (const piece of pieces) {
      read += piece.length
      // Its bytes are overwritten by the next read.
      const shared = Buffer.from(piece)
      if (!isRead) reader.read(shared)
      shared.fill('!')
    }
    if (!isRead && reader.end()) result.end = 'connection-end'
  } catch (error) {
    result.refused = (error as FetchFailure).code
  }
  return result
}
