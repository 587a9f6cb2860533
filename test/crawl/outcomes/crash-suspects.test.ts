import { describe, expect, it } from 'vitest'
import { CrashSuspects } from '../../../src/crawl/outcomes/crash-suspects.ts'
import type { CrawlUrl } from '../../../src/records/crawl-url.ts'

function crawlUrl(id: number): CrawlUrl {
  return {
    ...{ id, url: `http://a.test/${id}`, depth: 1, sameDepthHops: 0, redirects: 0, hop: 'link' },
    ...{ attempt: 1, failures: 0, keepLinks: false },
  }
}

const URLS = [1, 2, 3].map(crawlUrl)
const idsOf = (urls: readonly CrawlUrl[]) => urls.map(({ id }) => id)

describe('the URLs of a worker that died', () => {
  it('are all retried after the first death', () => {
    const { retry, held, guilty } = new CrashSuspects().judge(URLS)
    expect([idsOf(retry), held, guilty]).toEqual([[1, 2, 3], [], []])
  })

  it('are retried one at a time after the second death', () => {
    const suspects = new CrashSuspects()
    suspects.judge([...URLS, crawlUrl(4)])
    const { retry, held } = suspects.judge(URLS)
    expect([idsOf(retry), idsOf(held)]).toEqual([[1], [1, 2, 3]])
    expect([1, 2, 3].map((id) => suspects.runsAlone(id))).toEqual([true, false, false])
    // The outcome of another URL doesn't end the turn of the first one.
    expect(suspects.clear(4)).toEqual([])
    expect(idsOf(suspects.clear(1))).toEqual([2])
    expect(idsOf(suspects.clear(2))).toEqual([3])
    expect(suspects.clear(3)).toEqual([])
  })

  it('are given up only if they kill a worker alone, and the others continue', () => {
    const suspects = new CrashSuspects()
    suspects.judge(URLS)
    suspects.judge(URLS)
    // The first one kills a third worker, moves to the end of the queue, and kills a fourth.
    expect(idsOf(suspects.judge(URLS.slice(0, 1)).retry)).toEqual([2])
    expect(idsOf(suspects.clear(2))).toEqual([3])
    expect(idsOf(suspects.clear(3))).toEqual([1])
    const { retry, guilty } = suspects.judge(URLS.slice(0, 1))
    expect([retry, idsOf(guilty)]).toEqual([[], [1]])
  })

  it('are no longer suspected once they have an outcome', () => {
    const suspects = new CrashSuspects()
    suspects.judge(URLS)
    suspects.clear(2)
    const { retry } = suspects.judge(URLS.slice(1, 2))
    expect(idsOf(retry)).toEqual([2])
  })
})
