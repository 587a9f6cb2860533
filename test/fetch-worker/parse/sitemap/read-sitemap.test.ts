import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inflate } from '../../../../src/fetch-worker/parse/sitemap/inflate.ts'
import { readSitemap } from '../../../../src/fetch-worker/parse/sitemap/read-sitemap.ts'
import type { SitemapEntry } from '../../../../src/fetch-worker/parse/sitemap/sitemap-entry.ts'
import { growth, SLACK } from '../../../support/growth.ts'
import { chosen, randomCases } from '../../../support/soak.ts'
import { readEntries } from './read-entries.ts'

const urls = (count: number) =>
  Array.from({ length: count }, (_, at) => `<url><loc>http://h/${at}</loc></url>`).join('\n')
const xml = `<?xml version="1.0" encoding="UTF-8"?><urlset>${urls(3)}</urlset>`
const hrefs = ['http://h/0', 'http://h/1', 'http://h/2']
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

describe('readSitemap', () => {
  it('reports the entries, and sums them up', async () => {
    const index = '<sitemapindex><sitemap><loc>/a</loc></sitemap><url><loc>/b</loc></url>'
    expect(await readEntries(index)).toEqual({
      hrefs: ['/a', '/b'],
      summary: { isSitemap: true, entries: 2 },
    })
  })

  it.each([
    ['with a byte order mark', Buffer.from(`\ufeff${xml}`)],
    ['after white space', Buffer.from(`\n \n${xml}`)],
    ['gzipped', gzipSync(xml)],
    ['in UTF-16 with a byte order mark', utf16(`\ufeff${xml}`)],
    ['in UTF-16 without a byte order mark', utf16(xml)],
    ['in big-endian UTF-16', utf16(`\ufeff${xml}`).swap16()],
    ['in big-endian UTF-16 without a byte order mark', utf16(xml).swap16()],
    ['that wrongly declares UTF-16', Buffer.from(xml.replace('UTF-8', 'UTF-16'))],
    ['that declares an unknown encoding', Buffer.from(xml.replace('UTF-8', 'x-none'))],
    ['in an encoding that must not be decoded', Buffer.from(xml.replace('UTF-8', 'iso-2022-kr'))],
    ['of plain text', Buffer.from(hrefs.join('\r\n'))],
    ['of plain text with a byte order mark', Buffer.from(`\ufeff${hrefs.join('\n')}`)],
    ['of plain text, gzipped', gzipSync(`${hrefs.join('\n')}\n`)],
  ])('reads a file %s', async (_, file) => {
    expect((await readEntries(file)).hrefs).toEqual(hrefs)
  })

  it.each([
    ['windows-1251', '<urlset><url><loc>/\xe4</loc></url></urlset>', '/д'],
    ['iso-8859-1', '<urlset><url><loc>/\xe4</loc></url></urlset>', '/ä'],
    ['Shift_JIS', '<urlset><url><loc>/\x93\xfa</loc></url></urlset>', '/日'],
  ])('decodes %s by the XML declaration', async (encoding, text, href) => {
    const file = Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>${text}`, 'latin1')
    expect((await readEntries(file)).hrefs).toEqual([href])
  })

  it('finds nothing in an empty file, in binary data and in an HTML page', async () => {
    const nothing = { isSitemap: false, entries: 0 }
    expect((await readEntries('')).summary).toEqual(nothing)
    expect((await readEntries(' \n')).summary).toEqual(nothing)
    expect((await readEntries('\x89PNG\r\n\x1a\n\0')).summary.entries).toBe(0)
    const html = '<!doctype html><html><head><title>Not found</title></head></html>'
    expect((await readEntries(html)).summary).toEqual(nothing)
  })

  it('reads a large file piece by piece', async () => {
    const large = gzipSync(`<urlset>${urls(20_000)}</urlset>`)
    let [calls, count] = [0, 0]
    const onEntries = (batch: readonly SitemapEntry[]) => {
      calls++
      expect(batch[0]?.href).toBe(`http://h/${count}`)
      count += batch.length
    }
    const summary = await readSitemap(large, onEntries, { url: 'http://h/' })
    expect([calls > 5, count, summary.entries]).toEqual([true, 20_000, 20_000])
  })

  it('rejects if processing the entries fails', async () => {
    const fail = () => {
      throw new Error('full')
    }
    const failing = readSitemap(Buffer.from(xml), fail, { url: 'http://h/' })
    await expect(failing).rejects.toThrow('full')
  })

  it('reports at most as many entries as the limit allows', async () => {
    const limits = { maxBytes: 1_000_000, maxEntries: 2 }
    const { hrefs: kept, summary } = await readEntries(xml, limits)
    expect(kept).toEqual(hrefs.slice(0, 2))
    expect(summary.entries).toBe(2)
    const exact = await readEntries(xml, { ...limits, maxEntries: 3 })
    expect(exact.summary.entries).toBe(3)
  })

  it('reads at most as many bytes as the limit allows, and reports no truncated URL', async () => {
    const maxEntries = 10
    const whole = hrefs.join('\n')
    const cut = await readEntries(whole, { maxBytes: whole.length - 1, maxEntries })
    expect(cut.hrefs).toEqual(hrefs.slice(0, 2))
    const exact = await readEntries(whole, { maxBytes: whole.length, maxEntries })
    expect(exact.hrefs).toEqual(hrefs)
  })

  it('stops inflating a bomb at the limit', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(xml), Buffer.alloc(16 * 2 ** 20, 0x20)]))
    const cost = async (work: () => Promise<void>) => {
      const before = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const read = async () => {
      const { summary } = await readEntries(bomb, { maxBytes: 2 ** 16, maxEntries: 10 })
      expect(summary.entries).toBe(3)
    }
    const inflateAll = async () => {
      for await (const piece of inflate(bomb)) expect(piece.length).toBeGreaterThan(0)
    }
    const stopped = [await cost(read), await cost(read)]
    expect(Math.min(...stopped)).toBeLessThan((await cost(inflateAll)) / 4)
  })
})

describe('a hostile file', () => {
  const pieces = fc.constantFrom(
    ...['<', '>', '</', '/>', '<!--', '-->', '<![CDATA[', ']]>', '<?', '?>', '<!DOCTYPE x [', '&'],
    ...['&amp;', '&#0;', '&#x110000;', '"', "'", '=', ' ', '\n', '\0', '\ufeff', 'x:', 'é'],
    ...['<urlset>', '<url>', '<loc>', '</loc>', '</url>', '<link href="', 'http://h/', '<item>'],
    ...['<?xml version="1.0" encoding="', 'utf-16', 'big5', 'iso-2022-jp', '\x1b$B', '<html>'],
  )
  const text = fc.array(pieces, { maxLength: 40 }).map((all) => all.join(''))
  const file = fc.oneof(
    text.map((all) => Buffer.from(all)),
    text.map((all) => gzipSync(all)),
    fc.tuple(text, fc.nat(80), fc.nat(255)).map(([all, at, byte]) => {
      const coded = gzipSync(all)
      coded[at % coded.length] = byte
      return coded
    }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.uint8Array().map((bytes) => Buffer.from([0x1f, 0x8b, 8, ...bytes])),
  )

  it("never causes an exception, nor an entry that isn't trimmed text", async () => {
    await fc.assert(
      fc.asyncProperty(file, async (body) => {
        const { hrefs: found, summary } = await readEntries(body)
        expect(summary.entries).toBe(found.length)
        for (const href of found) expect(href.trim()).toBe(href)
      }),
      { numRuns: randomCases(1_000) },
    )
  })

  it.each([
    '<',
    '<a',
    '<a>',
    '</a>',
    '<a/>',
    '<a ',
    '<a b=',
    '<a b="',
    'a="b" ',
    '<!--',
    '<!-- -->',
    '<![CDATA[',
    '<?',
    '<!',
    '&',
    '&#',
    '&amp;',
    '&am',
    ']]>',
    '--',
    '"',
    '\n',
    ' ',
    'x',
    'http://h/ ',
    '<url><loc>',
    '<link href="&amp;',
  ])('takes time linear in its size: %j', async (pattern) => {
    const within = ['<urlset>', '<urlset><url><loc>', '<urlset><url><link a="']
    for (const head of chosen(['', ...within, 'x', '<!--'], (_, at) => at < 2 || at === 3)) {
      const read = (size: number) =>
        readEntries(Buffer.from(head + pattern.repeat(size / pattern.length)))
      expect(await growth(read, 4_096), head).toBeLessThan(SLACK)
    }
  })
})
