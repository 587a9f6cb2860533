import { readFile, stat, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openFileOutput } from '../../src/output/file-output.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const silent = { drained() {}, closed() {}, failed() {} }

describe('a resumed file output', () => {
  it('is truncated to its committed length when it is opened for visits, not before', async () => {
    const file = path('visits.jsonl')
    await writeFile(file, '{"visit":1}\n{"visit":2}\n{"vis')
    const output = await openFileOutput(file, { position: 12 })
    expect((await stat(file)).size).toBe(29)
    output.open(silent)
    expect((await stat(file)).size).toBe(12)
    output.write(['{"visit":3}\n'])
    expect(await output.sync()).toEqual({ [file]: 24 })
    expect(await readFile(file, 'utf8')).toBe('{"visit":1}\n{"visit":3}\n')
    await output.close()
  })

  it('returns its length after everything was written', async () => {
    const file = path('visits.jsonl')
    const output = await openFileOutput(file, {})
    output.open(silent)
    for (let round = 1; round <= 5; round++) {
      for (let line = 0; line < 100; line++) output.write(['é'.repeat(500)])
      expect(await output.sync()).toEqual({ [file]: round * 100_000 })
      expect((await stat(file)).size).toBe(round * 100_000)
    }
    await output.close()
  })

  it('is unchanged if the crawl could not begin', async () => {
    const file = path('visits.jsonl')
    await writeFile(file, 'what stands\nand more')
    await (await openFileOutput(file, { position: 12 })).discard()
    expect(await readFile(file, 'utf8')).toBe('what stands\nand more')
  })

  it.each([
    ['shorter than it was', 'dear', '4: restore it'],
    ['gone', undefined, 'none: move it back, or name it at its new place'],
    ['longer, since it was edited', '{"title":"edited"}\n'.repeat(20), 'others: restore it'],
  ])('is refused if it is %s', async (_, text, length) => {
    const file = path('visits.jsonl')
    if (text !== undefined) await writeFile(file, text)
    await expect(openFileOutput(file, { position: 100, overwrite: true })).rejects.toMatchObject({
      kind: 'state',
      message: `${file}: expected the 100 bytes that the crawl had written, got ${length}, or continue with another file and --force`,
    })
    if (text === undefined) await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
    else expect(await readFile(file, 'utf8')).toBe(text)
  })

  it.each([
    ['continued after what may be left of a member', '\x1f\x8b\x08', true],
    ['continued after zeros that a power cut left', '\0\0', true],
    ['refused if it was compressed again', 'more', false],
  ])('is %s', async (_, more, isContinued) => {
    const file = path('visits.jsonl.gz')
    const committed = gzipSync('{"visit":1}\n')
    await writeFile(file, Buffer.concat([committed, Buffer.from(more, 'latin1')]))
    const opening = openFileOutput(file, { position: committed.length })
    if (isContinued) await (await opening).discard()
    else await expect(opening).rejects.toMatchObject({ kind: 'state' })
  })

  it('may exist if it is empty, as a crawl that was killed early leaves it', async () => {
    const file = path('visits.jsonl')
    await writeFile(file, '')
    const output = await openFileOutput(file, { mayReplaceEmpty: true })
    await output.discard()
    await writeFile(file, 'x')
    await expect(openFileOutput(file, { mayReplaceEmpty: true })).rejects.toMatchObject({
      kind: 'usage',
    })
  })
})
