import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeContent } from '../../../../src/fetch/http/body/decompress-body.ts'

const text = Array.from({ length: 10_000 }, (_, line) => `line ${line} of a page`).join('\n')
const plain = Buffer.from(text)
/** More than fits what is decoded at once. */
const long = Buffer.from(Array.from({ length: 75_000 }, (_, i) => `line ${i} of it`).join('\n'))
const ENOUGH = 10_000_000

/** At its best it takes seconds for what is large. */
function quickBrotli(content: Buffer): Buffer {
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 }
  return zlib.brotliCompressSync(content, { params })
}

const coders = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  'deflate (raw)': zlib.deflateRawSync,
  br: quickBrotli,
  zstd: zlib.zstdCompressSync,
} as const
/** What codes a text as `coded` is. */
const coderOf = (coding: string, coded: Buffer) =>
  coding === 'deflate' && (coded[0] ?? 0) % 16 !== 8
    ? zlib.deflateRawSync
    : coders[coding as 'gzip']

const codings = Object.entries(coders).map(([name, code]) => ({
  name,
  coding: name.replace(' (raw)', ''),
  coded: code(plain),
}))

describe.each(codings)('$name', ({ coding, coded }) => {
  it('is undone', async () => {
    const { body, ...rest } = await decodeContent(coded, coding, ENOUGH)
    expect(body.equals(plain)).toBe(true)
    expect(rest).toEqual({ truncated: false, endsEarly: false })
  })

  it.each([1, 20, coded.length - 1])(
    'gives what can be had of a stream that lacks its last %i bytes, and says so',
    async (missing) => {
      const part = coded.subarray(0, coded.length - missing)
      const { body, truncated, endsEarly } = await decodeContent(part, coding, ENOUGH)
      if (missing < 100) expect(body.length).toBeGreaterThan(0)
      expect(plain.subarray(0, body.length).equals(body)).toBe(true)
      expect({ truncated, endsEarly }).toEqual({ truncated: false, endsEarly: true })
    },
  )

  it('gives what can be had of a large stream that ends early, and says so', async () => {
    const large = coderOf(coding, coded)(long)
    const part = large.subarray(0, large.length - 1)
    const { body, truncated, endsEarly } = await decodeContent(part, coding, ENOUGH)
    expect(body.length).toBeGreaterThan(plain.length / 2)
    expect(long.subarray(0, body.length).equals(body)).toBe(true)
    expect({ truncated, endsEarly }).toEqual({ truncated: false, endsEarly: true })
  })

  it('does not wonder at the end of what is a part', async () => {
    const part = coded.subarray(0, coded.length - 20)
    const { endsEarly } = await decodeContent(part, coding, ENOUGH, { isPart: true })
    expect(endsEarly).toBe(false)
  })

  it('is undone up to the bound, and no further', async () => {
    const { body, truncated } = await decodeContent(coded, coding, 1_000)
    expect(body.equals(plain.subarray(0, 1_000))).toBe(true)
    expect(truncated).toBe(true)
  })

  it('is whole when it is as long as the bound', async () => {
    const { body, truncated } = await decodeContent(coded, coding, plain.length)
    expect(body.equals(plain)).toBe(true)
    expect(truncated).toBe(false)
  })

  it('gives an error for bytes that are nothing of the kind', async () => {
    const noise = Buffer.from('<!doctype html><title>This is not coded at all</title>')
    const failure = { code: 'invalid-content-coding', isTransient: false }
    await expect(decodeContent(noise, coding, ENOUGH)).rejects.toMatchObject(failure)
  })

  it('takes an empty body for an empty page', async () => {
    const { body } = await decodeContent(Buffer.alloc(0), coding, ENOUGH)
    expect(body).toHaveLength(0)
  })
})

describe('decodeContent', () => {
  it('undoes several codings, last applied first', async () => {
    const coded = zlib.brotliCompressSync(zlib.deflateSync(zlib.gzipSync(plain)))
    const { body } = await decodeContent(coded, 'gzip, deflate, br', ENOUGH)
    expect(body.equals(plain)).toBe(true)
  })

  it('bounds each of several codings', async () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(20_000_000)))
    const { body, truncated } = await decodeContent(bomb, 'gzip, gzip', 5_000)
    expect(body.length).toBeLessThanOrEqual(5_000)
    expect(truncated).toBe(true)
  })

  it('makes no more than 250 bytes of one, beyond the first mebibyte', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(9_000_000))
    const { body, truncated } = await decodeContent(bomb, 'gzip', ENOUGH)
    expect(bomb.length).toBeLessThan(10_000)
    expect(body).toHaveLength(Math.max(2 ** 20, 250 * bomb.length))
    expect(truncated).toBe(true)
  })

  it('reads names in any case, and takes identity and an empty name for none', async () => {
    const coded = zlib.gzipSync(plain)
    for (const header of ['GZip', ' gzip ', 'identity, gzip', 'gzip,', 'gzip, identity']) {
      expect((await decodeContent(coded, header, ENOUGH)).body.equals(plain), header).toBe(true)
    }
  })

  it('reads a gzip stream of several members', async () => {
    const coded = Buffer.concat([zlib.gzipSync('one, '), zlib.gzipSync('two')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.toString()).toBe('one, two')
  })

  it('does not mind what comes after the end of a gzip stream', async () => {
    const coded = Buffer.concat([zlib.gzipSync(plain), Buffer.from('\n<!-- cached -->')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.equals(plain)).toBe(true)
  })

  it('does not mind it either when the stream is a large one', async () => {
    const long = Buffer.concat(Array.from({ length: 5 }, () => plain))
    const coded = Buffer.concat([zlib.gzipSync(long), Buffer.from('<!-- cached -->')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.equals(long)).toBe(true)
  })

  it('does not mind it either when the stream has all that a header can hold', async () => {
    const [fixed, rest] = [Buffer.from(zlib.gzipSync(plain)), zlib.gzipSync(plain).subarray(10)]
    fixed[3] = 4 | 8 | 16 // checksums of the header are left out: zlib would check them
    const optional = Buffer.from('\x03\0xyzname\0comment\0')
    const coded = Buffer.concat([fixed.subarray(0, 10), optional, rest, Buffer.from('trailer')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.equals(plain)).toBe(true)
  })

  it('gives what comes before the bound when the rest of the stream is broken', async () => {
    const long = Buffer.concat(Array.from({ length: 10 }, () => plain))
    for (const [coding, code] of [
      ['gzip', zlib.gzipSync],
      ['zstd', zlib.zstdCompressSync],
    ] as const) {
      const coded = code(long)
      const broken = Buffer.concat([coded.subarray(0, -30), Buffer.alloc(30, 0xff)])
      const { body, truncated } = await decodeContent(broken, coding, 100_000)
      expect(body.equals(long.subarray(0, 100_000)), coding).toBe(true)
      expect(truncated).toBe(true)
    }
  })

  it.each(['compress', 'rot13', 'constructor', '__proto__', 'gzip;q=1'])(
    'gives an error that names the coding %s, which it does not know',
    async (coding) => {
      await expect(decodeContent(plain, coding, ENOUGH)).rejects.toMatchObject({
        code: 'invalid-content-coding',
        isTransient: false,
        message: `unknown content coding "${coding}"`,
      })
    },
  )

  it('reads a gzip stream of several members up to where the last ends early', async () => {
    const coded = zlib.gzipSync(plain)
    const both = Buffer.concat([coded, coded.subarray(0, 5_000)])
    const { body, endsEarly } = await decodeContent(both, 'gzip', ENOUGH)
    expect(body.length).toBeGreaterThan(plain.length)
    expect(endsEarly).toBe(true)
  })

  it('says so when the inner one of two codings ends early', async () => {
    const inner = zlib.gzipSync(plain)
    const coded = zlib.brotliCompressSync(inner.subarray(0, inner.length - 100))
    const { body, endsEarly } = await decodeContent(coded, 'gzip, br', ENOUGH)
    expect(body.length).toBeGreaterThan(plain.length / 2)
    expect(endsEarly).toBe(true)
  })

  it('gives an error for more codings than any honest server applies', async () => {
    const header = Array(1_000).fill('gzip').join(',')
    await expect(decodeContent(plain, header, ENOUGH)).rejects.toMatchObject({
      code: 'invalid-content-coding',
    })
  })
})
