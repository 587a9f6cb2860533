import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodeContent } from '../../../../src/fetch/http/body/decompress-body.ts'

const text = Array.from({ length: 10_000 }, (_, line) => `line ${line} of a page`).join('\n')
const plain = Buffer.from(text)
/** A body that is longer than what is decoded at once. */
const long = Buffer.from(Array.from({ length: 75_000 }, (_, i) => `line ${i} of it`).join('\n'))
const ENOUGH = 10_000_000

/** Compresses with Brotli at a low quality, since the best one takes seconds for large bodies. */
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
/** Returns the function that encodes in the way in which `coded` is encoded. */
const coderOf = (coding: string, coded: Buffer) =>
  coding === 'deflate' && (coded[0] ?? 0) % 16 !== 8
    ? zlib.deflateRawSync
    : coders[coding as 'gzip']

const codings = Object.entries(coders).map(([name, code]) => ({
  name,
  coding: name.replace(' (raw)', ''),
  coded: code(plain),
}))

describe.each(codings)('content coding $name', ({ coding, coded }) => {
  it('is decoded', async () => {
    const { body, ...rest } = await decodeContent(coded, coding, ENOUGH)
    expect(body.equals(plain)).toBe(true)
    expect(rest).toEqual({ truncated: false, endsEarly: false })
  })

  it.each([1, 20, coded.length - 1])(
    'is decoded as far as possible if its last %i bytes are missing, and reported as incomplete',
    async (missing) => {
      const part = coded.subarray(0, coded.length - missing)
      const { body, truncated, endsEarly } = await decodeContent(part, coding, ENOUGH)
      if (missing < 100) expect(body.length).toBeGreaterThan(0)
      expect(plain.subarray(0, body.length).equals(body)).toBe(true)
      expect({ truncated, endsEarly }).toEqual({ truncated: false, endsEarly: true })
    },
  )

  it('is decoded as far as possible if a large body ends early, and reported as incomplete', async () => {
    const large = coderOf(coding, coded)(long)
    const part = large.subarray(0, large.length - 1)
    const { body, truncated, endsEarly } = await decodeContent(part, coding, ENOUGH)
    expect(body.length).toBeGreaterThan(plain.length / 2)
    expect(long.subarray(0, body.length).equals(body)).toBe(true)
    expect({ truncated, endsEarly }).toEqual({ truncated: false, endsEarly: true })
  })

  it('is not reported as incomplete if only a part was read', async () => {
    const part = coded.subarray(0, coded.length - 20)
    const { endsEarly } = await decodeContent(part, coding, ENOUGH, { isPart: true })
    expect(endsEarly).toBe(false)
  })

  it('is decoded up to the limit, and no further', async () => {
    const { body, truncated } = await decodeContent(coded, coding, 1_000)
    expect(body.equals(plain.subarray(0, 1_000))).toBe(true)
    expect(truncated).toBe(true)
  })

  it('is not decoded if nothing of it is wanted', async () => {
    const { body, ...rest } = await decodeContent(coded, coding, 0)
    expect(body.length).toBe(0)
    expect(rest).toEqual({ truncated: true, endsEarly: false })
  })

  it('is complete if it is exactly as long as the limit', async () => {
    const { body, truncated } = await decodeContent(coded, coding, plain.length)
    expect(body.equals(plain)).toBe(true)
    expect(truncated).toBe(false)
  })

  it("is an error for bytes that aren't encoded", async () => {
    const noise = Buffer.from('<!doctype html><title>This is not coded at all</title>')
    const failure = { code: 'invalid-content-coding', isTransient: false }
    await expect(decodeContent(noise, coding, ENOUGH)).rejects.toMatchObject(failure)
  })

  it('decodes an empty body to an empty page', async () => {
    const { body } = await decodeContent(Buffer.alloc(0), coding, ENOUGH)
    expect(body).toHaveLength(0)
  })
})

describe('decodeContent', () => {
  it('decodes four codings, and refuses five', async () => {
    const [four, five] = [4, 5].map((count) => Array(count).fill('gzip'))
    const coded = (codings: string[] = []) => codings.reduce((body) => zlib.gzipSync(body), plain)
    const { body } = await decodeContent(coded(four), `${four}`, ENOUGH)
    expect(body.equals(plain)).toBe(true)
    const refused = decodeContent(coded(five), `${five}`, ENOUGH)
    await expect(refused).rejects.toMatchObject({ code: 'invalid-content-coding' })
  })

  it('decodes several codings, the last one first', async () => {
    const coded = zlib.brotliCompressSync(zlib.deflateSync(zlib.gzipSync(plain)))
    const { body } = await decodeContent(coded, 'gzip, deflate, br', ENOUGH)
    expect(body.equals(plain)).toBe(true)
  })

  it('limits each of several codings', async () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(20_000_000)))
    const { body, truncated } = await decodeContent(bomb, 'gzip, gzip', 5_000)
    expect(body.length).toBeLessThanOrEqual(5_000)
    expect(truncated).toBe(true)
  })

  it('decodes at most 250 bytes per byte, beyond the first mebibyte', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(9_000_000))
    const { body, truncated } = await decodeContent(bomb, 'gzip', ENOUGH)
    expect(bomb.length).toBeLessThan(10_000)
    expect(body).toHaveLength(Math.max(2 ** 20, 250 * bomb.length))
    expect(truncated).toBe(true)
  })

  it('reads names in any case, and ignores identity and empty names', async () => {
    const coded = zlib.gzipSync(plain)
    for (const header of ['GZip', ' gzip ', 'identity, gzip', 'gzip,', 'gzip, identity']) {
      expect((await decodeContent(coded, header, ENOUGH)).body.equals(plain), header).toBe(true)
    }
  })

  it('cuts a body that is not encoded at the limit', async () => {
    for (const header of ['identity', ' , identity']) {
      const cut = await decodeContent(plain, header, 1_000)
      expect(cut).toEqual({ body: plain.subarray(0, 1_000), truncated: true, endsEarly: false })
      const whole = await decodeContent(plain, header, plain.length)
      expect(whole).toEqual({ body: plain, truncated: false, endsEarly: false })
    }
  })

  it('reads a gzip stream of several members', async () => {
    const coded = Buffer.concat([zlib.gzipSync('one, '), zlib.gzipSync('two')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.toString()).toBe('one, two')
  })

  it('ignores trailing data after a gzip stream', async () => {
    const coded = Buffer.concat([zlib.gzipSync(plain), Buffer.from('\n<!-- cached -->')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.equals(plain)).toBe(true)
  })

  it.each(['UTF-8', 'none', 'iso-8859-1', 'text/html', 'aws-chunked', '', 'constructor'])(
    'reads a body with %s, which is no coding, as it is',
    async (name) => {
      expect((await decodeContent(plain, name, ENOUGH)).body.equals(plain)).toBe(true)
    },
  )

  it.each([
    ['no member', Buffer.from('junk')],
    ['begins like a member', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])],
    ['begins like a member with unknown flags', Buffer.from([0x1f, 0x8b, 8, 0xff, 1, 2, 3])],
  ])('reads all gzip members before trailing data that is %s', async (_, junk) => {
    const coded = Buffer.concat([zlib.gzipSync('one, '), zlib.gzipSync('two'), junk])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.toString()).toBe('one, two')
  })

  it('refuses trailing data after hundreds of gzip members, whose ends take long to find', async () => {
    const members = Array.from({ length: 200 }, () => zlib.gzipSync(''))
    const coded = Buffer.concat([...members, Buffer.from('junk')])
    await expect(decodeContent(coded, 'gzip', ENOUGH)).rejects.toThrow('incorrect header check')
  })

  it.each([
    ['checksum', 8, 'incorrect data check'],
    ['length', 4, 'incorrect length check'],
  ])('ignores a wrong %s at the end of a gzip stream, not before', async (_, at, message) => {
    const long = Buffer.concat(Array.from({ length: 5 }, () => plain))
    const damagedMember = (text: string | Buffer) => {
      const member = zlib.gzipSync(text)
      return member.fill(1, member.length - at)
    }
    for (const text of ['', 'two', long]) {
      const last = damagedMember(text)
      const coded = Buffer.concat([zlib.gzipSync('one'), last])
      const { body, truncated, endsEarly } = await decodeContent(coded, 'gzip', ENOUGH)
      expect(body.equals(Buffer.concat([Buffer.from('one'), Buffer.from(text)]))).toBe(true)
      expect({ truncated, endsEarly }).toEqual({ truncated: false, endsEarly: false })
    }
    const damaged = Buffer.concat([damagedMember('one'), zlib.gzipSync('two')])
    await expect(decodeContent(damaged, 'gzip', ENOUGH)).rejects.toThrow(message)
  })

  it('ignores trailing data after a large gzip stream', async () => {
    const long = Buffer.concat(Array.from({ length: 5 }, () => plain))
    const coded = Buffer.concat([zlib.gzipSync(long), Buffer.from('<!-- cached -->')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.equals(long)).toBe(true)
  })

  it('ignores trailing data after a gzip stream with all optional header fields', async () => {
    const [fixed, rest] = [Buffer.from(zlib.gzipSync(plain)), zlib.gzipSync(plain).subarray(10)]
    fixed[3] = 4 | 8 | 16 // Checksums of the header are left out, since zlib would check them.
    const optional = Buffer.from('\x03\0xyzname\0comment\0')
    const coded = Buffer.concat([fixed.subarray(0, 10), optional, rest, Buffer.from('trailer')])
    expect((await decodeContent(coded, 'gzip', ENOUGH)).body.equals(plain)).toBe(true)
  })

  it('returns the content before the limit even if the rest of the stream is damaged', async () => {
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

  it('ignores names that are no codings beside one that is', async () => {
    const { body } = await decodeContent(zlib.gzipSync(plain), 'gzip, aws-chunked', ENOUGH)
    expect(body.equals(plain)).toBe(true)
  })

  it.each(['compress', 'dcz'])('reports the unsupported coding %s by its name', async (coding) => {
    await expect(decodeContent(plain, coding, ENOUGH)).rejects.toMatchObject({
      code: 'invalid-content-coding',
      isTransient: false,
      message: `unsupported content coding ${coding}`,
    })
  })

  it('reads several members of gzip up to the point where the last one ends early', async () => {
    const coded = zlib.gzipSync(plain)
    const both = Buffer.concat([coded, coded.subarray(0, 5_000)])
    const { body, endsEarly } = await decodeContent(both, 'gzip', ENOUGH)
    expect(body.length).toBeGreaterThan(plain.length)
    expect(endsEarly).toBe(true)
  })

  it('reports that the inner one of two codings ends early', async () => {
    const inner = zlib.gzipSync(plain)
    const coded = zlib.brotliCompressSync(inner.subarray(0, inner.length - 100))
    const { body, endsEarly } = await decodeContent(coded, 'gzip, br', ENOUGH)
    expect(body.length).toBeGreaterThan(plain.length / 2)
    expect(endsEarly).toBe(true)
  })

  it('reports an error for more codings than any honest server uses', async () => {
    const header = Array(1_000).fill('gzip').join(',')
    await expect(decodeContent(plain, header, ENOUGH)).rejects.toMatchObject({
      code: 'invalid-content-coding',
      message: `too many content codings: ${header.slice(0, 474)}…`,
    })
  })
})
