import { createWriteStream } from 'node:fs'
import { readFile, stat, truncate } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressionOf } from '../../src/compressed-files/compression.ts'
import { MemberStream } from '../../src/compressed-files/member-stream.ts'
import { openFileOutput } from '../../src/output/file-output.ts'
import { StreamOutput } from '../../src/output/stream-output.ts'
import { useFolder } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { unzstd } from '../support/unzstd.ts'

const path = useFolder()
const silent = { drained() {}, closed() {}, failed() {} }

/**
 * Opens an output.
 * @param position bytes of an earlier run
 */
function open(file: string, position?: number) {
  return openFileOutput(file, { compression: compressionOf(file), position })
}

describe.each([
  ['visits.jsonl.gz', gunzipSync],
  ['VISITS.ZST', unzstd],
])('%s', (name, decompress) => {
  const textIn = async (file: string) => decompress(await readFile(file)).toString()

  it('is complete after each sync, and can be truncated to it and continued', async () => {
    const file = path(name)
    const first = await open(file)
    first.open(silent)
    first.write(['a\n', 'b\n'])
    const { [file]: length = 0 } = await first.sync()
    expect((await stat(file)).size).toBe(length)
    expect(await textIn(file)).toBe('a\nb\n')
    expect(await first.sync()).toEqual({ [file]: length }) // no empty member
    first.write(['lost\n'])
    await first.close()
    expect(await textIn(file)).toBe('a\nb\nlost\n')
    await truncate(file, length + 5)
    const second = await open(file, length)
    second.open(silent)
    second.write(['c\n'])
    await second.close()
    expect(await textIn(file)).toBe('a\nb\nc\n')
  })

  it('is valid without any text', async () => {
    const file = path(name)
    const output = await open(file)
    output.open(silent)
    expect(await output.sync()).toEqual({ [file]: 0 })
    await output.close()
    expect(await textIn(file)).toBe('')
    expect((await stat(file)).size).toBeGreaterThan(0)
  })

  it('is valid up to each moment while much is written', async () => {
    const file = path(name)
    const output = await open(file)
    let hasRoom = 0
    output.open({ ...silent, drained: () => void hasRoom++ })
    const lines = Array.from({ length: 5_000 }, (_, at) => `${at} ${'x'.repeat(1_000)}\n`)
    output.write(lines.slice(0, 3_000))
    expect(output.congested).toBe(true)
    await until(() => hasRoom > 0)
    const early = await textIn(file)
    expect(early.length).toBeGreaterThan(1_000_000)
    output.write(lines.slice(3_000))
    await output.close()
    expect(await textIn(file)).toBe(lines.join(''))
    expect(lines.join('').startsWith(early)).toBe(true)
  })
})

it('a compressed output fails when the disk is full', async () => {
  const compression = compressionOf('a.gz')
  if (compression === undefined) throw new Error('no compression')
  const stream = new MemberStream(createWriteStream('/dev/full'), compression)
  const output = new StreamOutput(stream, 'full.gz', true)
  const failures: unknown[] = []
  output.open({ ...silent, failed: (error) => void failures.push(error) })
  output.write(['no room\n'])
  const failure = {
    kind: 'output',
    message: "full.gz: can't be written: ENOSPC: no space left on device, write",
  }
  await expect(output.close()).rejects.toMatchObject(failure)
  expect(failures).toMatchObject([failure])
})
