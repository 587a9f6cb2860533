import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeContent } from '../../../../src/fetch/http/body/decompress-body.ts'
import { splitZstdFrames } from '../../../../src/fetch/http/body/split-zstd-frames.ts'

const ENOUGH = 10_000_000
const text = (length: number) => Buffer.from('a page of several frames. '.repeat(length))
const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])

/** Encoders that use all variants of a frame header. */
const coders: readonly ((plain: Buffer) => Buffer)[] = [
  (plain) => zlib.zstdCompressSync(plain),
  (plain) => zlib.zstdCompressSync(plain, params(zlib.constants.ZSTD_c_checksumFlag, 1)),
  (plain) => zlib.zstdCompressSync(plain, params(zlib.constants.ZSTD_c_contentSizeFlag, 0)),
  (plain) => zlib.zstdCompressSync(plain, { pledgedSrcSize: plain.length }),
]
const params = (name: number, value: number) => ({ params: { [name]: value } })

describe('a zstd stream', () => {
  it.each([0, 1, 2, 20, 500, 5_000, 100_000])('with frames of %i lines each is split', (length) => {
    const coded = coders.map((code) => code(text(length)))
    expect(splitZstdFrames(Buffer.concat(coded))).toEqual(coded)
  })

  it('is decoded to its last frame', async () => {
    const coded = Buffer.concat([...coders.map((code) => code(text(100))), skippable])
    const { body, truncated, endsEarly } = await decodeContent(coded, 'zstd', ENOUGH)
    expect(body.equals(text(400))).toBe(true)
    expect({ truncated, endsEarly }).toEqual({ truncated: false, endsEarly: false })
  })

  it('is decoded up to the point where its last frame ends early', async () => {
    const coded = coders.map((code) => code(text(100)))
    const part = Buffer.concat(coded).subarray(0, -1)
    const { body, endsEarly } = await decodeContent(part, 'zstd', ENOUGH)
    expect(body.subarray(0, text(300).length).equals(text(300))).toBe(true)
    expect(endsEarly).toBe(true)
  })

  it('is limited over all of its frames', async () => {
    const coded = Buffer.concat(Array<Buffer>(50).fill(zlib.zstdCompressSync(Buffer.alloc(1_000))))
    const { body, truncated } = await decodeContent(coded, 'zstd', 10_500)
    expect(body.length).toBe(10_500)
    expect(truncated).toBe(true)
  })

  it('is split into a limited number of frames', () => {
    const empty = zlib.zstdCompressSync('')
    expect(splitZstdFrames(Buffer.concat(Array<Buffer>(5_000).fill(empty)))).toHaveLength(1_000)
    const pointless = Buffer.concat(Array<Buffer>(200_000).fill(skippable))
    expect(splitZstdFrames(pointless).length).toBeLessThanOrEqual(1_000)
  })

  it('ignores trailing data', async () => {
    const coded = Buffer.concat([zlib.zstdCompressSync(text(1)), Buffer.from('<!-- 3 ms -->')])
    expect((await decodeContent(coded, 'zstd', ENOUGH)).body.equals(text(1))).toBe(true)
  })

  it('is returned as one piece if it is invalid', () => {
    const noise = Buffer.from('no zstd')
    expect(splitZstdFrames(noise)).toEqual([noise])
    expect(splitZstdFrames(zlib.zstdCompressSync('a').subarray(0, 5), true)).toHaveLength(1)
  })
})
