import { describe, expect, it } from 'vitest'
import { pieceDecoder } from '../../../src/encoding/decode-byte-string.ts'
import { LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { LinkRules } from '../../../src/fetch-worker/links/link-rules.ts'
import { page as scanned } from '../../html/reference-scanner/scanned.ts'
import { seededRandom } from '../../support/random.ts'
import { IN_SOAK } from '../../support/soak.ts'

const SETUP = {
  scope: { scope: 'host', seeds: ['http://a.test/'], include: [], exclude: ['/private/'] },
  widened: [],
  canonicalize: [],
  stripQuery: false,
  ignoreRobots: false,
  external: false,
  externalAssets: false,
  sitemaps: false,
} as const

const PAGES = [
  'http://a.test/',
  'http://a.test/x/',
  'http://a.test/x/page',
  'http://a.test/x/other?q=1',
  'http://a.test/x/y/deep',
]
const BASES = [{}, { baseHref: '/x/y/' }, { encoding: 'shift_jis' }, { baseHref: 'data:,' }]

/** Parts of hrefs that lead elsewhere on another page, in another encoding, or without their fragment. */
const STARTS = [
  '',
  ' ',
  '?',
  '#',
  '/',
  './',
  '../',
  '../../',
  '//b.test/',
  'http:',
  'http://a.test/',
]
const NAMES = [
  '',
  'page',
  'p%41ge',
  'a b',
  'private/x',
  'ü?q=ü',
  '?q=ü',
  'y/',
  ':',
  'mailto:x',
  '..',
]
const ENDS = ['', '#top', ' #top', ' ', '?', '\n', '&#46;', '&#47;x', '&amp;a', '&amp;a#top']

function from(url: string) {
  const standing = { depth: 0, sameDepthHops: 0, redirects: 0, attempt: 1, failures: 0 }
  return { id: 1, url, ...standing, hop: 'link', keepLinks: false } as const
}

function linksOf(hrefs: readonly string[], encoding = 'utf-8') {
  const html = hrefs.map((href) => `<a href="${href}">`).join('')
  return scanned(html, { maxLinks: hrefs.length, decode: pieceDecoder(encoding) }).outlinks
}

function randomPage(random: () => number) {
  const any = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const hrefs = Array.from({ length: 40 }, () => {
    const href = any(STARTS) + any(NAMES) + any(ENDS)
    return random() < 0.1 ? `${href}" rel="nofollow` : href
  })
  const base = any<{ readonly encoding?: string }>(BASES)
  const links = linksOf(hrefs, base.encoding)
  return { links, url: any(PAGES), base: { ...base, nofollow: random() < 0.1 } }
}

const VISITS = IN_SOAK ? 400 : 150

describe('a filter that caches targets of links', () => {
  it('admits the same links as a new filter for each page', () => {
    const random = seededRandom(5)
    const filter = new LinkFilter(new LinkRules(SETUP))
    for (let page = 0; page < VISITS; page++) {
      const { links, url, base } = randomPage(random)
      const { urls, skips } = filter.filter(links, from(url), base, 1)
      const fresh = new LinkFilter(new LinkRules(SETUP)).filter(links, from(url), base, 1)
      expect({ urls, skips }).toEqual({ urls: fresh.urls, skips: fresh.skips })
    }
  })

  it('admits a host that joins the scope later', () => {
    const rules = new LinkRules(SETUP)
    const filter = new LinkFilter(rules)
    const links = linksOf(['http://b.test/'])
    for (let page = 0; page < 8; page++) {
      expect(filter.filter(links, from('http://a.test/'), {}, 1).urls).toEqual([])
    }
    rules.widen('http://b.test/')
    filter.forget()
    expect(filter.filter(links, from('http://a.test/'), {}, 1).urls).toEqual(['http://b.test/'])
  })

  it('continues when there are more URLs than it caches', () => {
    const filter = new LinkFilter(new LinkRules(SETUP))
    for (let part = 0; part < 80; part++) {
      const hrefs = Array.from({ length: 1_000 }, (_, index) => `${part}-${index}`)
      const links = linksOf([...hrefs, ...hrefs])
      const { urls } = filter.filter(links, from('http://a.test/x/'), {}, 1)
      expect(urls).toEqual(hrefs.map((href) => `http://a.test/x/${href}`))
    }
  })
})
