import { changeOf } from '../wire/content.ts'
import type { CrawlUrl } from '../wire/crawl-url.ts'
import type { ErrorCode } from '../wire/error-code.ts'
import type { Failed } from '../wire/messages.ts'
import { encodeVisit } from '../wire/visit.ts'

/** The outcome of a URL that no worker could fetch. */
export function giveUp(crawlUrl: CrawlUrl, code: ErrorCode, message: string): Failed {
  const { id, url, depth, via, hop, attempt, before } = crawlUrl
  const time = new Date().toISOString()
  const attempts = code === 'robots-unreachable' ? attempt - 1 : attempt
  const change = before === undefined ? undefined : changeOf(before, undefined)
  const error = { code, message }
  const record = encodeVisit({ url, depth, via, hop, change, attempts, time, error })
  return { type: 'failed', id, record, error: code, message }
}
