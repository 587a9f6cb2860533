import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packLinks, unpackLinks } from '../../src/messages/pack-links.ts'

describe('packLinks', () => {
  it.each([0, 1, 2, 10, 100, 10_000])('returns %i links in their original order', (count) => {
    const links = Array.from({ length: count }, (_, page) => `http://h.test/p/${page}?q=%C3%A9`)
    expect(unpackLinks(packLinks(links), 'links')).toEqual(links)
  })

  it('refuses bytes that it did not pack, and bombs', () => {
    expect(() => unpackLinks(Buffer.from('no deflate'), 'outlinks.links')).toThrow(
      'outlinks.links: expected packed links, got 10 other bytes',
    )
    const bomb = deflateRawSync(Buffer.alloc(65 * 2 ** 20))
    expect(() => unpackLinks(bomb, 'links')).toThrow('expected packed links')
  })

  it('takes a fraction of their size', () => {
    const links = Array.from({ length: 1_000 }, (_, page) => `http://h.test/some/path/${page}.html`)
    expect(packLinks(links).length).toBeLessThan(links.join('').length / 5)
  })

  it.each([0, 2, 200])(
    'packs %i links into a buffer of exactly their size, since messages copy whole buffers',
    (count) => {
      const packed = packLinks(
        Array.from({ length: count }, (_, page) => `http://h.test/p/${page}`),
      )
      expect(packed.buffer.byteLength).toBe(packed.length)
    },
  )

  it.each([
    ['the URL before it', ['http://h.test/a', 'http://h.test/a/b', 'http://h.test/a/b']],
    ['the end of the URL before it', ['http://h.test/a/b', 'http://h.test/a', 'http://i.test/']],
    ['200 characters', ['x', 'y'].map((end) => `http://h.test/${'a'.repeat(200)}${end}`)],
  ])('returns URLs that share %s', (_, links) => {
    expect(unpackLinks(packLinks(links), 'links')).toEqual(links)
  })

  it('packs a few links as bytes that DEFLATE reads, in a third of their size', () => {
    const links = Array.from({ length: 20 }, (_, page) => `http://h.test/some/path/${page}.html`)
    const packed = packLinks(links)
    expect(inflateRawSync(packed).length).toBe(packed.length - 5)
    expect(packed.length).toBeLessThan(links.join('').length / 3)
  })

  it('reads a few links that an earlier version stored as lines', () => {
    expect(unpackLinks(deflateRawSync('http://h.test/a\nhttp://h.test/b'), 'links')).toEqual([
      'http://h.test/a',
      'http://h.test/b',
    ])
  })
})
