import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressionOf } from '../../src/compressed-files/compression.ts'
import { decompressZstd } from '../../src/compressed-files/decompress-zstd.ts'
import { openText } from '../../src/compressed-files/open-text.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const PARTS = ['é, first\n', 'x'.repeat(500_000), '\nlast\n']
const plain = (text: string) => Buffer.from(text)

async function textIn(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

describe('a text file', () => {
  it.each([
    ['uncompressed', plain],
    ['in members of gzip', gzipSync],
    ['in frames of zstd', zstdCompressSync],
  ])('is read %s, regardless of its name', async (_, encode) => {
    const bytes = Buffer.concat(PARTS.map((text) => encode(text)))
    await writeFile(path('visits.jsonl'), bytes)
    expect(await textIn(await openText(path('visits.jsonl')))).toBe(PARTS.join(''))
  })

  it('is recognized as zstd if a skippable frame comes first, as pzstd writes it', async () => {
    const skippable = Buffer.from('502a4d1804000000ffffffff', 'hex')
    const bytes = PARTS.flatMap((text) => [skippable, zstdCompressSync(text)])
    await writeFile(path('visits.jsonl.zst'), Buffer.concat(bytes))
    expect(await textIn(await openText(path('visits.jsonl.zst')))).toBe(PARTS.join(''))
  })

  it.each([
    ['plain text', plain],
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('is recognized as %s by its first bytes, even if they come one by one', async (_, encode) => {
    for (const text of ['x', 'some text']) {
      const chunks = [...encode(text)].map((byte) => Buffer.of(byte))
      const stream = Readable.from(chunks, { objectMode: false })
      expect(await textIn(await openText({ name: 'stdin', stream }))).toBe(text)
    }
  })

  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('is read to its end if its last member of %s is truncated', async (_, compress) => {
    const [first = '', , last = ''] = PARTS
    await writeFile(path('cut'), Buffer.concat([compress(first), compress(last).subarray(0, -5)]))
    expect(first + last).toContain(await textIn(await openText(path('cut'))))
    expect(await textIn(await openText(path('cut')))).toContain(first)
  })

  it.each(['.gz', '.zst'])('is refused if the data in a %s file is damaged', async (extension) => {
    const text = 'http://a.test/\n'.repeat(1_000)
    const bytes = compressionOf(`a${extension}`)?.compressSync(text).fill(0xff, 20, 24)
    await writeFile(path('damaged'), bytes ?? '')
    await expect(openText(path('damaged')).then(textIn)).rejects.toThrow()
  })

  it('may be empty, shorter than the start of a compressed file, a pipe, or missing', async () => {
    for (const text of ['', 'x']) {
      await writeFile(path('short'), text)
      expect(await textIn(await openText(path('short')))).toBe(text)
    }
    execFileSync('mkfifo', [path('pipe')])
    createWriteStream(path('pipe')).end(gzipSync('from a pipe'))
    expect(await textIn(await openText(path('pipe')))).toBe('from a pipe')
    await expect(openText(path('missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

it.each([1, 100, 100_000])('frames of zstd may arrive in chunks of %s bytes', async (size) => {
  const lines = Array.from({ length: 200 }, (_, number) => `line ${number}\n`.repeat(20))
  const bytes = Buffer.concat(lines.map((text) => zstdCompressSync(text)))
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const found = Readable.from(decompressZstd(Readable.from(chunks), 2 ** 18)).setEncoding('utf8')
  expect(await textIn(found)).toBe(lines.join(''))
})
