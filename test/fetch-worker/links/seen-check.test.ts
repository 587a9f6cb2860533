import { describe, expect, it } from 'vitest'
import { SeenCheck } from '../../../src/fetch-worker/links/seen-check.ts'
import { ClaimLog } from '../../../src/messages/claim-log.ts'
import { Counters } from '../../../src/messages/counters.ts'
import { packLinks } from '../../../src/messages/pack-links.ts'
import type { SeenName } from '../../../src/seen/seen-set.ts'
import { allocateSeenSet, openSeenSet } from '../../../src/seen/seen-set-lifecycle.ts'

const standing = { depth: 0, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 }
const from = { id: 1, url: 'http://a.test/', ...standing, hop: 'seed', keepLinks: false } as const
const url = (index: number) => `http://a.test/${index}`

function openDiscoverer(name: SeenName) {
  const options = { name, expectedUrls: 100_000, falsePositiveRate: 1e-9 }
  const [seen, shorterPaths] = [allocateSeenSet(options), allocateSeenSet(options)]
  const counters = new Counters(Counters.allocate(1))
  const own = {
    worker: 1,
    owner: 1,
    depth: 3,
    defersSeenCheck: false,
    keepsOutlinks: false,
    counters: counters.memory,
  }
  const log = new ClaimLog(ClaimLog.allocate(), () => {})
  const discoverer = new SeenCheck({ seen, shorterPaths, ...own }, log)
  return { discoverer, counters, others: openSeenSet(seen, 0) }
}

describe.each(['bloom-growing', 'bloom-aging', 'exact'] as const)(
  'a seen check with %s',
  (name) => {
    it('reports each URL as new once, and counts the others', () => {
      const { discoverer, counters } = openDiscoverer(name)
      for (let page = 0; page < 40; page++) {
        const urls = Array.from({ length: 1_000 }, (_, index) => url(page * 500 + index))
        const { added, findings } = discoverer.addLinks(urls, from)
        expect(findings.discovered).toEqual(page === 0 ? urls : urls.slice(500))
        expect(added).toBe(findings.discovered.length)
      }
      expect(counters.read(1, 'setSize')).toBe(20_500)
      expect(counters.read(1, 'duplicate')).toBe(19_500)
    })

    it('reports known URLs again if a page at their depth was handed out before', () => {
      const { discoverer, counters } = openDiscoverer(name)
      discoverer.addLinks([url(1), url(2)], { ...from, depth: 1 })
      counters.deepest = 1
      const { findings } = discoverer.addLinks([url(1), url(2), url(3)], from)
      expect(findings).toMatchObject({ discovered: [url(3)], nearer: [url(1), url(2)] })
    })

    it('reports each URL as new once again in a new generation', () => {
      const { discoverer, counters } = openDiscoverer(name)
      discoverer.addLinks([url(1), url(2)], from)
      counters.renewSeen()
      const discovered = () => discoverer.addLinks([url(1), url(3)], from).findings.discovered
      expect([discovered(), discovered()]).toEqual([[url(1), url(3)], []])
    })
  },
)

describe('a seen check whose set supports removal', () => {
  it('reports a URL as new again after it was removed', () => {
    const { discoverer, others } = openDiscoverer('bloom-counting')
    discoverer.addLinks([url(1)], from)
    others.forget?.([url(1)])
    expect(discoverer.addLinks([url(1)], from).findings.discovered).toEqual([url(1)])
  })
})

describe('a page for which all links are kept', () => {
  it.each([false, true])('reports all of them to the frontier, known or not: %s', (keepLinks) => {
    const { discoverer } = openDiscoverer('exact')
    discoverer.addLinks([url(1)], from)
    const { findings } = discoverer.addLinks([url(1), url(2)], { ...from, keepLinks })
    const packed = keepLinks ? packLinks([url(1), url(2)]) : undefined
    expect(findings.packedLinks).toEqual(packed)
    expect(findings.outlinks).toBeUndefined()
  })
})
