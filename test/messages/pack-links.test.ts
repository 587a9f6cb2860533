import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packLinks, unpackLinks } from '../../src/messages/pack-links.ts'

describe('packLinks', () => {
  it.each([0, 1, 2, 10, 100, 10_000])('gives %i links back in their order', (count) => {
    const links = Array.from({ length: count }, (_, page) => `http://h.test/p/${page}?q=%C3%A9`)
    expect(unpackLinks(packLinks(links), 'links')).toEqual(links)
  })

  it('tells what it did not pack, and what would never end', () => {
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
    'gives %i links a buffer of their own size: messages copy whole buffers',
    (count) => {
      const packed = packLinks(
        Array.from({ length: count }, (_, page) => `http://h.test/p/${page}`),
      )
      expect(packed.buffer.byteLength).toBe(packed.length)
    },
  )

  it('packs as DEFLATE, few links as well, as earlier versions read it', () => {
    expect(inflateRawSync(packLinks(['http://h.test/a', 'http://h.test/b'])).toString()).toBe(
      'http://h.test/a\nhttp://h.test/b',
    )
  })
})
