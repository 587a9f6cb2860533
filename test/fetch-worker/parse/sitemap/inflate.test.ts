import { randomBytes } from 'node:crypto'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inflate } from '../../../../src/fetch-worker/parse/sitemap/inflate.ts'

async function piecesOf(file: Buffer) {
  const pieces: Buffer[] = []
  for await (const piece of inflate(file)) pieces.push(piece)
  return pieces
}

async function inflated(file: Buffer) {
  return Buffer.concat(await piecesOf(file)).toString('latin1')
}

const gzip = (text: string) => gzipSync(Buffer.from(text, 'latin1'))

describe('inflate', () => {
  it('returns a file that is not gzip unchanged, in pieces of 64 KiB', async () => {
    const file = randomBytes(150_000)
    file[0] = 0
    const pieces = await piecesOf(file)
    expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928])
    expect(Buffer.concat(pieces).equals(file)).toBe(true)
  })

  it('returns nothing for an empty file', async () => {
    expect(await inflated(Buffer.alloc(0))).toBe('')
  })

  it('inflates gzip', async () => {
    const text = 'a sitemap '.repeat(20_000)
    expect(await inflated(gzip(text))).toBe(text)
  })

  it('inflates a member with a name, a comment, an extra field and a header checksum', async () => {
    const header = Buffer.from('\x1f\x8b\x08\x1e1234\0\x03\x02\0xxname\0comment\0cc', 'latin1')
    const file = Buffer.concat([header, deflateRawSync('text'), Buffer.alloc(8)])
    expect(await inflated(file)).toBe('text')
  })

  it('inflates several members', async () => {
    expect(await inflated(Buffer.concat([gzip('one '), gzip(''), gzip('two')]))).toBe('one two')
  })

  it('ignores data after the last member, and wrong checksums', async () => {
    const file = Buffer.concat([gzip('text'), Buffer.from('<!-- debug -->')])
    expect(await inflated(file)).toBe('text')
    const wrong = gzip('text')
    wrong.fill(0xff, wrong.length - 8)
    expect(await inflated(wrong)).toBe('text')
  })

  it('returns the content before the end of a truncated file', async () => {
    const text = randomBytes(100_000).toString('hex')
    const file = gzip(text)
    const half = await inflated(file.subarray(0, Math.floor(file.length / 2)))
    expect(half.length).toBeGreaterThan(text.length / 3)
    expect(text.startsWith(half)).toBe(true)
  })

  it('returns the pieces before the damage in a file', async () => {
    const text = randomBytes(400_000).toString('hex')
    const file = gzip(text)
    file.fill(0xff, Math.floor(file.length / 2))
    const pieces = await piecesOf(file)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces[0]?.toString('latin1')).toBe(text.slice(0, 65_536))
  })

  it("returns nothing for a header alone, and doesn't throw for a truncated one", async () => {
    const header = Buffer.from('\x1f\x8b\x08\x1e1234\0\x03\xff\xffxxname\0comment\0cc', 'latin1')
    for (let end = 3; end <= header.length; end++) {
      expect(await inflated(header.subarray(0, end))).toBe('')
    }
  })

  it('inflates only as much of a bomb as is read', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20))
    const before = process.memoryUsage().rss
    for await (const piece of inflate(bomb)) {
      expect(piece).toHaveLength(65_536)
      break
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 2 ** 20)
  })

  it('reads at most 2,000 members', async () => {
    const one = gzip('x')
    const file = Buffer.concat(Array<Buffer>(2_100).fill(one))
    expect(await inflated(file)).toHaveLength(2_000)
  })
})
