import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sitemap } from '../../../src/formats/at-end/sitemap.ts'
import { useFolder } from '../../support/state-run.ts'
import { keepsTheContract } from '../output-contract.ts'
import { derive } from './derive.ts'
import { textsOf } from './read-xml.ts'

const path = useFolder()
const page = (url: string) => ({
  url: `http://a.test/${url}`,
  status: 200,
  contentType: 'text/html',
})

keepsTheContract({ file: 'sitemap.xml', read: (file) => textsOf(file, 'loc') })

describe('a sitemap', () => {
  it('lists existing pages that are their own canonical URL, in order', () => {
    const file = path('sitemap.xml')
    derive(file, sitemap(file), [
      page('b?x=1&y=2'),
      page('a'),
      { ...page('own'), canonical: 'http://a.test/own' },
      { ...page('#/own'), canonical: 'http://a.test/' },
      { ...page('elsewhere'), canonical: 'http://a.test/a' },
      { ...page('hidden'), noindex: true },
      { ...page('twin'), duplicateOf: 'http://a.test/a' },
      { ...page('gone'), status: 404 },
      { ...page('image'), contentType: 'image/png' },
      { ...page('broken'), error: { code: 'timeout', message: '' } },
    ])
    const listed = ['#/own', 'a', 'b?x=1&y=2', 'own'].map((name) => `http://a.test/${name}`)
    expect(textsOf(file, 'loc')).toEqual(listed)
  })

  it('lists a page whose canonical URL is merged with its own', () => {
    const file = path('sitemap.xml')
    const visited = [
      { ...page('a'), canonical: 'http://a.test/a/' },
      { ...page('b'), canonical: 'http://a.test/a/' },
    ]
    const merged = (url: string) => url.replace(/\/$/, '')
    derive(file, sitemap(file), visited, merged)
    expect(textsOf(file, 'loc')).toEqual(['http://a.test/a'])
    // As a seed, which is not merged.
    derive(file, sitemap(file), [...visited, page('a/')], merged)
    expect(textsOf(file, 'loc')).toEqual(['http://a.test/a/'])
  })

  it('lists no URLs outside the scope, and no assets other than HTML pages', () => {
    const file = path('sitemap.xml')
    derive(file, sitemap(file), [
      { ...page('moved'), hop: 'redirect', bytes: 0 },
      { ...page('other'), hop: 'external' },
      { ...page('moved-other'), hop: 'redirect' },
      { ...page('image.png'), hop: 'asset', bytes: 9 },
      { ...page('joined'), hop: 'external', bytes: 9 },
    ])
    expect(textsOf(file, 'loc')).toEqual(['http://a.test/joined', 'http://a.test/moved'])
  })

  it('lists no URL that is too long for the protocol', () => {
    const file = path('sitemap.xml')
    const ofLength = (length: number) => page('x'.repeat(length - page('').url.length))
    derive(file, sitemap(file), [ofLength(2_047), ofLength(2_048)])
    expect(textsOf(file, 'loc')).toEqual([ofLength(2_047).url])
  })

  it('uses the last visit with content', () => {
    const file = path('sitemap.xml')
    const unchanged = { ...page('same'), status: 304 }
    const gone = { ...page('gone'), status: 404 }
    derive(file, sitemap(file), [page('same'), page('gone'), unchanged, gone])
    expect(textsOf(file, 'loc')).toEqual(['http://a.test/same'])
  })

  it.each([
    ['many', { urls: 3, bytes: 10_000 }],
    ['long', { urls: 99, bytes: 250 }],
  ])('with too %s URLs becomes an index of several sitemaps', (_, limits) => {
    const file = path('map.xml')
    derive(file, sitemap(file, limits), [...'abcdefg'].map(page))
    const parts = ['map-1.xml', 'map-2.xml', 'map-3.xml']
    expect(textsOf(file, 'loc')).toEqual(parts.map((name) => `http://a.test/${name}`))
    const listed = parts.map((name) => textsOf(path(name), 'loc'))
    expect(listed.flat()).toEqual([...'abcdefg'].map((name) => `http://a.test/${name}`))
    expect(listed.map(({ length }) => length)).toEqual([3, 3, 1])
  })

  it('has compressed parts if it is compressed', () => {
    const file = path('map.xml.gz')
    derive(file, sitemap(file, { urls: 2, bytes: 10_000 }), [...'abc'].map(page))
    const part = gunzipSync(readFileSync(path('map-2.xml.gz'))).toString()
    expect(part).toContain('<loc>http://a.test/c</loc>')
    expect(readFileSync(file, 'utf8')).toContain('<loc>http://a.test/map-2.xml.gz</loc>')
  })

  it('replaces links with the names of its parts, and writes nothing through them', () => {
    const file = path('map.xml')
    writeFileSync(path('dear.txt'), 'dear data')
    symlinkSync('dear.txt', path('map-2.xml'))
    symlinkSync('not-yet', path('map-3.xml'))
    derive(file, sitemap(file, { urls: 3, bytes: 10_000 }), [...'abcdefg'].map(page))
    expect(textsOf(path('map-2.xml'), 'loc')).toHaveLength(3)
    expect(readFileSync(path('dear.txt'), 'utf8')).toBe('dear data')
    expect(existsSync(path('not-yet'))).toBe(false)
  })
})
