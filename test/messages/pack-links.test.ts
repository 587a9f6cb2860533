import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packedBytes, packLinks, unpackLinks } from '../../src/messages/pack-links.ts'

const roundTrip = (links: readonly string[]) => unpackLinks(packedBytes(packLinks(links)), 'links')
const pages = (count: number) =>
  Array.from({ length: count }, (_, page) => `http://h.test/some/path/${page}.html`)

describe('packLinks', () => {
  it.each([0, 1, 2, 10, 100, 10_000])('returns %i links in their original order', (count) => {
    const links = Array.from({ length: count }, (_, page) => `http://h.test/p/${page}?q=%C3%A9`)
    expect(roundTrip(links)).toEqual(links)
  })

  it.each([
    ['the URL before it', ['http://h.test/a', 'http://h.test/a/b', 'http://h.test/a/b']],
    ['the end of the URL before it', ['http://h.test/a/b', 'http://h.test/a', 'http://i.test/']],
    ['200 characters', ['x', 'y'].map((end) => `http://h.test/${'a'.repeat(200)}${end}`)],
  ])('returns URLs that share %s', (_, links) => {
    expect(roundTrip(links)).toEqual(links)
  })

  it('refuses bytes that it did not pack, and bombs', () => {
    expect(() => unpackLinks(Buffer.from('no deflate'), 'outlinks.links')).toThrow(
      'outlinks.links: expected packed links, got 10 other bytes',
    )
    const bomb = deflateRawSync(Buffer.alloc(65 * 2 ** 20))
    expect(() => unpackLinks(bomb, 'links')).toThrow('expected packed links')
  })

  it.each([20, 1_000])('takes a third of the size of %i links', (count) => {
    expect(packLinks(pages(count)).length).toBeLessThan(pages(count).join('').length / 3)
  })

  it('returns a text of bytes, which V8 stores with one byte for each character', () => {
    expect(packLinks(pages(1_000))).toMatch(/^[\0-\xff]+$/)
  })

  it.each([2, 1_000])('reads %i links that an earlier version stored as lines', (count) => {
    expect(unpackLinks(deflateRawSync(pages(count).join('\n')), 'links')).toEqual(pages(count))
  })
})
