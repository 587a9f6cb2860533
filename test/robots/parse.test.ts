import { describe, expect, it } from 'vitest'
import { MAX_ROBOTS_BYTES } from '../../src/robots/lines.ts'
import { parseRobots } from '../../src/robots/parse.ts'
import { parseRobotsText } from '../support/robots-text.ts'

const octets = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const parse = (body: Uint8Array | string) =>
  typeof body === 'string' ? parseRobotsText(body, 'orbweaver') : parseRobots(body, 'orbweaver')
const patterns = (body: Uint8Array | string) => parse(body).rules.map(({ pattern }) => pattern)

describe('groups', () => {
  it('returns the rules of the group that names us, with their lines and text', () => {
    const body = 'User-agent: orbweaver\nDisallow: /a b/%7e # why\n\nAllow: /x*$\n'
    expect(parse(body)).toEqual({
      rules: [
        { allow: false, pattern: '/a b/%7e', line: 2 },
        { allow: true, pattern: '/x*$', line: 4 },
      ],
      sitemaps: [],
    })
  })

  it('compares names case-insensitively', () => {
    expect(parseRobotsText('USER-AGENT: OrbWeaver\nDISALLOW: /A', 'ORBWEAVER').rules).toHaveLength(
      1,
    )
  })

  it("reads a name up to its first invalid character, and doesn't match a longer one", () => {
    expect(patterns('User-agent: orbweaver/1.0\nDisallow: /a')).toEqual(['/a'])
    expect(patterns('User-agent: orbweaver news\nDisallow: /a')).toEqual(['/a'])
    expect(patterns('User-agent: orbweaver-news\nDisallow: /a')).toEqual([])
    expect(patterns('User-agent: orb\nDisallow: /a')).toEqual([])
  })

  it('merges all groups that name us, and ignores those of *', () => {
    const body = `
user-agent: orbweaver
disallow: /one
user-agent: *
disallow: /any
user-agent: other
disallow: /other
user-agent: Orbweaver
disallow: /two`
    expect(patterns(body)).toEqual(['/one', '/two'])
  })

  it('merges the groups of * when none names us', () => {
    const body =
      'user-agent: *\ndisallow: /1\nuser-agent: b\ndisallow: /2\nuser-agent: * \nallow: /3'
    expect(patterns(body)).toEqual(['/1', '/3'])
    expect(patterns('user-agent: * everyone\ndisallow: /1')).toEqual(['/1'])
    expect(patterns('user-agent: *bot\ndisallow: /1')).toEqual([])
  })

  it('ignores * groups if a group that names us has no rules or only empty ones', () => {
    expect(patterns('user-agent: *\ndisallow: /\nuser-agent: orbweaver')).toEqual([])
    expect(patterns('user-agent: orbweaver\ndisallow:\nuser-agent: *\ndisallow: /')).toEqual([])
  })

  it('starts one group with several user-agent lines', () => {
    expect(patterns('user-agent: a\nuser-agent: orbweaver\nuser-agent: b\ndisallow: /')).toEqual([
      '/',
    ])
  })

  it('ends the user-agent lines at a rule, even an empty one', () => {
    expect(patterns('user-agent: orbweaver\ndisallow:\nuser-agent: b\ndisallow: /b')).toEqual([])
  })

  it('continues a group after blank, unknown, sitemap, delay or broken lines', () => {
    const noise =
      '\n\nHost: x\nSitemap: /s\nCrawl-delay: 1\nwhat is this\n:\n: x\n<html>\n# user-agent: b\n'
    const body = `user-agent: orbweaver${noise}user-agent: b${noise}disallow: /1${noise}disallow: /2`
    expect(patterns(body)).toEqual(['/1', '/2'])
    expect(parseRobotsText(body, 'b').rules).toEqual(parse(body).rules)
  })

  it('ignores rules before the first group', () => {
    expect(patterns('disallow: /\nuser-agent: orbweaver\nallow: /x')).toEqual(['/x'])
  })

  it('uses only the * group if we have no name', () => {
    expect(
      parseRobotsText('user-agent: 42\ndisallow: /a\nuser-agent: *\ndisallow: /b', '').rules,
    ).toEqual([{ allow: false, pattern: '/b', line: 4 }])
  })
})

describe('lines', () => {
  it.each(['\n', '\r', '\r\n'])('counts lines that end in %j', (ending) => {
    const body = ['user-agent: *', '', '', 'disallow: /', '', 'allow: /x'].join(ending)
    expect(parse(body).rules.map(({ line }) => line)).toEqual([4, 6])
  })

  it('reads the last line without an ending, and mixed endings', () => {
    expect(parse('user-agent: *\r\n\r\n\n\rdisallow: /').rules[0]?.line).toBe(5)
  })

  it.each(['\xEF\xBB\xBF', '\xEF\xBB', '\xEF'])('skips the byte order mark %j', (mark) => {
    expect(patterns(octets(`${mark}user-agent: *\ndisallow: /`))).toEqual(['/'])
  })

  it('ignores a line with a byte order mark after the start', () => {
    expect(patterns('user-agent: *\n\uFEFFdisallow: /1\ndisallow: /2')).toEqual(['/2'])
    expect(patterns('\uFEFFuser-agent: *\ndisallow: /2')).toEqual(['/2'])
  })

  it('accepts spaces around names and values', () => {
    expect(patterns(' \tUser-agent\t : \t* \t\n\v disallow : /a b \f')).toEqual(['/a b'])
  })

  it('accepts a missing colon between exactly two words', () => {
    expect(patterns('user-agent *\ndisallow \t/a\nallow /b c\nallow')).toEqual(['/a'])
  })

  it.each(['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'])('accepts %s', (name) => {
    expect(patterns(`useragent: x\nuser agent: orbweaver\n${name}: /a`)).toEqual(['/a'])
  })

  it('keeps letters whose last octet is A0, which is a space in Latin-1', () => {
    expect(patterns('user-agent: *\ndisallow: /voilà')).toEqual(['/voilà'])
  })

  it("shows octets that aren't UTF-8 percent-encoded", () => {
    expect(patterns(octets('user-agent: *\ndisallow: /caf\xE9'))).toEqual(['/caf%E9'])
  })

  it('drops everything after the size limit, from the end of a line', () => {
    const start = 'user-agent: *\ndisallow: /first\n#'
    const filler = '-'.repeat(MAX_ROBOTS_BYTES - start.length - '\ndisallow: /12345'.length)
    const upToLimit = `${start}${filler}\ndisallow: /12345`
    expect(upToLimit).toHaveLength(MAX_ROBOTS_BYTES)
    expect(patterns(upToLimit)).toEqual(['/first', '/12345'])
    expect(patterns(`${upToLimit}\ndisallow: /late`)).toEqual(['/first', '/12345'])
    expect(patterns(octets(`${upToLimit}6\ndisallow: /late`))).toEqual(['/first'])
    expect(patterns(`${upToLimit}${'é'.repeat(600_000)}`)).toEqual(['/first'])
    expect(patterns(`${upToLimit}6\n`.replaceAll('\n', '\r'))).toEqual(['/first'])
    expect(patterns('a'.repeat(2 * MAX_ROBOTS_BYTES))).toEqual([])
  })

  it('reads at least 500 KiB', () => {
    const comment = `${'#'.repeat(99)}\n`.repeat(5120 - 1)
    expect(patterns(`${comment}user-agent: *\ndisallow: /last`)).toEqual(['/last'])
  })
})

describe('Crawl-delay and Sitemap', () => {
  const delayOf = (text: string) => parse(`user-agent: *\ncrawl-delay: ${text}`).crawlDelayMs

  it.each([
    ['10', 10_000],
    ['0', 0],
    ['0.5', 500],
    ['.25', 250],
    ['2.', 2000],
    ['1 # s', 1000],
    ['9'.repeat(400), 86_400_000],
    ['', undefined],
    ['.', undefined],
    ['-1', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['0x10', undefined],
    ['1e3', undefined],
    ['soon', undefined],
  ])('reads a delay of %j seconds as %s ms', (text, ms) => {
    expect(delayOf(text)).toBe(ms)
  })

  it('returns only the delay of the chosen group, the longest of several', () => {
    const body =
      'user-agent: orbweaver\ncrawl-delay: 2\ncrawl-delay: 1\nallow: /\nuser-agent: *\ncrawl-delay: 9'
    expect(parse(body).crawlDelayMs).toBe(2000)
    expect(parseRobotsText(body, 'other').crawlDelayMs).toBe(9000)
    expect(parse('crawl-delay: 3\nuser-agent: *')).not.toHaveProperty('crawlDelayMs')
  })

  it('returns sitemaps from anywhere in the file, as written', () => {
    const body = 'Sitemap: https://a.example/1.xml\nuser-agent: b\nsite-map: /2.xml#x\nsitemap:\n'
    expect(parse(body).sitemaps).toEqual(['https://a.example/1.xml', '/2.xml'])
  })

  it('keeps at most 10,000 sitemaps', () => {
    expect(parse('sitemap: /s\n'.repeat(20_000)).sitemaps).toHaveLength(10_000)
  })
})
