import type { Failed } from '../../messages/messages.ts'
import { changeOf } from '../../records/content.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { ErrorCode } from '../../records/error-code.ts'

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
  const { id, attempt, before } = crawlUrl
  const time = isTimed ? new Date().toISOString() : undefined
  const attempts = code === 'robots-unreachable' ? attempt - 1 : attempt
  const change = before === undefined ? undefined : changeOf(before, undefined)
  const error = { code, message }
  const fields = { change, attempts, time, error }
  return { type: 'failed', id, fields, error: code, message }
}
