import { expect, it } from 'vitest'
import { WorkerClaims } from '../../../src/crawl/worker-pool/worker-claims.ts'
import { ClaimLog } from '../../../src/messages/claim-log.ts'

const URLS = ['http://a.test/1', 'http://a.test/2', 'http://a.test/3']

/** Returns the claims of a worker that has handed over claims for pages 1 and 2, and has one for page 1 in its log. */
function claimsOfTwoPages() {
  const claims = new WorkerClaims()
  const log = new ClaimLog(claims.memory, (older) => claims.take(older))
  const [first = '', second = '', third = ''] = URLS
  log.add(1, 'link', first)
  log.add(2, 'link', second)
  log.handOver()
  log.add(1, 'link', third)
  return claims
}

const textsOf = (claims: WorkerClaims) => claims.unreported(() => true).map(({ text }) => text)

it('claims that were handed over count as well as those in the log', () => {
  expect(textsOf(claimsOfTwoPages())).toEqual(URLS)
})

it('claims of a page that was reported are dropped, and those of other pages stay', () => {
  const claims = claimsOfTwoPages()
  claims.drop((page) => page === 1)
  expect(textsOf(claims)).toEqual(URLS.slice(1))
  claims.drop((page) => page === 2)
  expect(textsOf(claims)).toEqual(URLS.slice(2))
})

it('claims of pages that are assigned to the worker no more do not count', () => {
  const unreported = claimsOfTwoPages().unreported((page) => page === 2)
  expect(unreported.map(({ text }) => text)).toEqual(URLS.slice(1, 2))
})
