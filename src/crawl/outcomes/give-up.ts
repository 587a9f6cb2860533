import { changeOf } from '../../messages/content.ts'
import type { CrawlUrl } from '../../messages/crawl-url.ts'
import type { ErrorCode } from '../../messages/error-code.ts'
import type { Failed } from '../../messages/messages.ts'
import { encodeVisit } from '../../messages/visit.ts'

/**
 * The outcome of a URL that no worker could fetch.
 * @param isTimed whether the record tells when
 */
export function giveUp(
  crawlUrl: CrawlUrl,
  code: ErrorCode,
  message: string,
  isTimed: boolean,
): Failed {
  const { id, url, depth, via, hop, attempt, before } = crawlUrl
  const time = isTimed ? new Date().toISOString() : undefined
  const attempts = code === 'robots-unreachable' ? attempt - 1 : attempt
  const change = before === undefined ? undefined : changeOf(before, undefined)
  const error = { code, message }
  const record = encodeVisit({ url, depth, via, hop, change, attempts, time, error })
  return { type: 'failed', id, record, error: code, message }
}
