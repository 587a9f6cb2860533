import type { RawResponse } from '../../src/fetch/raw-response.ts'
import { archiveExchange } from '../../src/warc/archive-exchange.ts'
import { visitOf } from '../formats/output-contract.ts'

export function answerOf(body: string): RawResponse {
  const fields = ['Content-Type', 'text/html; charset=utf-8']
  return {
    ...{ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
    ...{ head: { isHttp2: false, reason: 'OK', fields }, body: Buffer.from(body) },
    ...{ received: body.length, truncated: false, ms: 1 },
  }
}

/** Returns a visit to archive. Every third page has the same body. */
export function archivedVisit(n: number) {
  const body = n % 3 === 0 ? 'the same' : `page ${n}`
  return {
    ...visitOf(n),
    exchange: archiveExchange(`http://a.test/${n}?b=1&A=2`, {}, answerOf(body), '192.0.2.1'),
  }
}
