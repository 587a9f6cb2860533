import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../src/config/config-file.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

async function written(text: string | Buffer): Promise<string> {
  const file = path('my.json')
  await writeFile(file, text)
  return file
}

describe('readConfigFile', () => {
  it('returns the object in the file', async () => {
    expect(await readConfigFile(await written('{ "depth": 1 }'))).toEqual({ depth: 1 })
  })

  it('ignores a byte order mark', async () => {
    expect(await readConfigFile(await written('\uFEFF{}'))).toEqual({})
  })

  it('refuses UTF-16', async () => {
    const file = await written(Buffer.from('\uFEFF{}', 'utf16le'))
    const message = `${file}: expected JSON in UTF-8, got text in UTF-16`
    await expect(readConfigFile(file)).rejects.toMatchObject({ kind: 'usage', message })
  })

  it('refuses values that nest too deeply', async () => {
    const file = await written(`{ "depth": ${'{"0":'.repeat(5_000)}1${'}'.repeat(5_000)} }`)
    const message = `${file}: expected JSON with at most 1,000 nested lists and objects, got more`
    await expect(readConfigFile(file)).rejects.toMatchObject({ kind: 'usage', message })
  })

  it('reports a syntax error and its position in one line', async () => {
    const file = await written('{\n  "depth": 1,\n}\n')
    const failed = expect(readConfigFile(file)).rejects
    await failed.toMatchObject({ kind: 'usage', message: expect.stringContaining(`${file}: exp`) })
    await failed.toMatchObject({ message: expect.stringMatching(/^.+line 3 column 1.+$/) })
  })

  it.each([
    ['[]', 'a list'],
    ['null', 'null'],
    ['3', 'a number'],
    ['"x"', 'a string'],
  ])('refuses %s', async (text, kind) => {
    const file = await written(text)
    const message = `${file}: expected a JSON object, got ${kind}`
    await expect(readConfigFile(file)).rejects.toMatchObject({ kind: 'usage', message })
  })

  it.skipIf(process.platform === 'win32')('refuses an endless file', async () => {
    const message = '/dev/zero: expected a JSON file of at most 64 MiB'
    await expect(readConfigFile('/dev/zero')).rejects.toMatchObject({ message })
  })

  it('refuses a missing file if it was named', async () => {
    const message = '/nonexistent/x.json: expected a readable JSON file, got no file'
    await expect(readConfigFile('/nonexistent/x.json')).rejects.toMatchObject({ message })
  })
})
