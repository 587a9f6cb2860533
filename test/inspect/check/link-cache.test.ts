import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LinkCache } from '../../../src/inspect/check/link-cache.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()
const NOW = 1_000_000
const DAY = 1_000
const working = (url: string, time = NOW) => ({ url, status: 200, time })
const redirect = (url: string, redirectsTo: string) => ({
  ...working(url),
  status: 301,
  redirectsTo,
})

/** Returns the cache that reads these lines. */
function cacheOf(...links: readonly object[]): LinkCache {
  writeFileSync(path('links'), links.map((link) => `${JSON.stringify(link)}\n`).join(''))
  return new LinkCache(path('links'), DAY, NOW)
}

const urlsOf = (cache: LinkCache, url: string) => cache.chainOf(url).map((link) => link.url)

describe('the cache of links', () => {
  it('is empty without a file', () => {
    expect(new LinkCache(path('missing'), DAY).chainOf('http://a.example/')).toEqual([])
  })

  it('refuses a line that nests too deeply', () => {
    const deep = `${'{"0":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    writeFileSync(path('deep'), `{"url":"http://a/","status":200,"time":${NOW},"x":${deep}}\n`)
    expect(() => new LinkCache(path('deep'), DAY, NOW)).toThrow('deep, line 1: expected a line of')
  })

  it('has links that are younger than the maximum age', () => {
    const cache = cacheOf(working('http://new/', NOW - DAY + 1), working('http://old/', NOW - DAY))
    expect(urlsOf(cache, 'http://new/')).toEqual(['http://new/'])
    expect(urlsOf(cache, 'http://old/')).toEqual([])
  })

  it('has no link of a later time, except for small differences of clocks', () => {
    const cache = cacheOf(working('http://now/', NOW + 1), working('http://later/', NOW + DAY))
    expect(urlsOf(cache, 'http://now/')).toEqual(['http://now/'])
    expect(urlsOf(cache, 'http://later/')).toEqual([])
  })

  it('has a redirect only with all of its targets', () => {
    const links = [redirect('http://1/', 'http://2/'), redirect('http://2/', 'http://3/')]
    expect(urlsOf(cacheOf(...links), 'http://1/')).toEqual([])
    const cache = cacheOf(...links, working('http://3/'))
    expect(urlsOf(cache, 'http://1/')).toEqual(['http://1/', 'http://2/', 'http://3/'])
  })

  it('has no redirects in a circle', () => {
    const cache = cacheOf(redirect('http://1/', 'http://2/'), redirect('http://2/', 'http://1/'))
    expect(urlsOf(cache, 'http://1/')).toEqual([])
  })

  it('keeps fresh links, and of those that were requested only the ones that work', () => {
    const cache = cacheOf(
      working('http://kept/'),
      working('http://broken/'),
      working('http://old/', 0),
    )
    cache.write(['http://broken/', 'http://again/'], [working('http://again/', NOW + 1)])
    const kept = readFileSync(path('links'), 'utf8').trimEnd().split('\n')
    expect(kept.map((line) => JSON.parse(line))).toEqual([
      working('http://kept/'),
      working('http://again/', NOW + 1),
    ])
  })

  it('leaves out the oldest links if the file would be too long', () => {
    const line = JSON.stringify(working('http://1/')).length + 1
    const cache = new LinkCache(path('links'), DAY, NOW, 2 * line)
    cache.write(
      [],
      ['http://1/', 'http://2/', 'http://3/'].map((url) => working(url)),
    )
    const kept = readFileSync(path('links'), 'utf8').trimEnd().split('\n')
    expect(kept.map((text) => JSON.parse(text).url)).toEqual(['http://2/', 'http://3/'])
  })

  it.each([
    '{"url":"http://a/"}',
    'null',
    '{',
    '{"url":"http://a/","status":200,"time":1,"redirectsTo":2}',
    '{"url":"http://a/","status":200,"time":1,"imageError":{"code":"image"}}',
  ])('refuses the line %s, with its number', (line) => {
    writeFileSync(path('links'), `${JSON.stringify(working('http://a/'))}\n${line}\n`)
    expect(() => new LinkCache(path('links'), DAY)).toThrow(
      `${path('links')}, line 2: expected a line of \`crawl check --cache\``,
    )
  })

  it('leaves no temporary file when it cannot replace the file', () => {
    const cache = new LinkCache(path('folder'), DAY)
    mkdirSync(path('folder'))
    expect(() => cache.write([], [])).toThrow(`${path('folder')}: `)
    expect(readdirSync(path('')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})
