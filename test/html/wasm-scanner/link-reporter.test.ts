import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Link } from '../../../src/fetch-worker/links/link-filter.ts'
import { CANONICAL_RULES } from '../../../src/url/canonical-rules.ts'
import { IN_SOAK } from '../../support/soak.ts'
import { arbitraryHref } from '../../url/arbitrary-href.ts'
import { BothAdmissions } from './both-admissions.ts'
import { BothScanners } from './both-scans.ts'

const SITE = 'http://a.test/'
const SCOPE = { scope: 'host', seeds: [SITE], include: [], exclude: ['/private/'] } as const
const URLS = [
  ...[SITE, 'http://a.test/x/', 'http://a.test/x/page', 'http://a.test/x/other?q=/y'],
  ...['http://a.test/x/y/deep', 'https://a.test/x/', 'http://a.test:8080/x//y'],
]
const HEADS = [
  ...['', '', '', '<base href="/x/y/">', '<base href="data:,">', '<base href="//b.test/z?q">'],
  ...['<meta charset=shift_jis>', '<meta charset=windows-1252>', '<base href="http://h/x y/">'],
  '<meta http-equiv=refresh content="3; url=../refreshed">',
]
/** Hrefs that lead elsewhere on another page, in another encoding, or without their fragment. */
const STARTS = [
  ...['', '', ' ', '?', '#', '/', './', '../', '../../', '//b.test/', 'http:', 'http://a.test/'],
  ...['https://a.test/', 'HTTP://a.test/', 'http://a.test', 'mailto:', '/x/../'],
]
const NAMES = [
  ...[
    '',
    'page',
    'p%41ge',
    'p%3Dge',
    'p%3dge',
    'p%E4ge',
    'p%',
    'a b',
    'private/x',
    'ü?q=ü',
    '?q=ü',
  ],
  ...['y/', ':', 'mailto:x', '..', '.', 'a//b', 'a?b&amp;c', 'a?b&c', 'a&lt;', 'INDEX.html'],
]
const ENDS = ['', '', '#top', ' #top', ' ', '?', '\n', '&#46;', '&#47;x', '&amp;a', '&amp;a#top']
const RELS = ['', '', '', '', '" rel="nofollow', '" rel="x no&#102;ollow', '" rel="é']

const plainish = fc
  .tuple(...[STARTS, NAMES, ENDS, RELS].map((pieces) => fc.constantFrom(...pieces)))
  .map((pieces) => pieces.join(''))
const link = fc.oneof(plainish, arbitraryHref).map((href) => `<a href="${href}">`)
const page = fc
  .tuple(fc.constantFrom(...HEADS), fc.array(link, { maxLength: 30, size: 'max' }))
  .map(([head, links]) => head + links.join('\n'))
const header = fc.constantFrom(
  ...[[], [], [{ href: 'of/header' }, { href: 'x y', rel: 'nofollow' }, { href: 'ftp://x' }]],
)

describe('the links of scanned pages', () => {
  it.each([
    ['by default', {}, {}],
    ['with rules', { assets: true }, { canonicalize: CANONICAL_RULES }],
    ['with links out of the scope', {}, { external: true }],
    ['with links that must not be followed', {}, { ignoreRobots: true }],
  ])('are admitted %s as by a filter that has seen no other page', (_, options, rules) => {
    const scanners = new BothScanners(options)
    const admissions = new BothAdmissions(scanners.scanner.links, { scope: SCOPE, ...rules })
    const assert = (html: string, url: string, nofollow: boolean, added: readonly Link[]) => {
      const body = Buffer.from(html)
      const scan = scanners.scan(body)
      const found = scan && admissions.byModule(scan, url, nofollow, added)
      const extracted = scanners.extract(body)
      expect(found).toEqual(admissions.byReference(extracted, url, nofollow, added))
    }
    const nofollow = fc.constantFrom(false, false, false, true)
    fc.assert(fc.property(page, fc.constantFrom(...URLS), nofollow, header, assert), {
      numRuns: IN_SOAK ? 600 : 60,
    })
    const { reference, module } = admissions.rewritten
    expect([...module].sort()).toEqual([...reference].sort())
  })
})
