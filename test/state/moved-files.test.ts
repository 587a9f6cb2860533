import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { identityOf } from '../../src/state/file-identities.ts'
import { findMovedFiles, withMovedFiles } from '../../src/state/moved-files.ts'
import { ledger } from '../support/ledger.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const LENGTH = 3

/** Creates files in the folder `old`, as a crawl would leave them. Returns that crawl. */
function savedWith(...names: string[]) {
  mkdirSync(path('old'))
  mkdirSync(path('new'))
  const files = names.map((name) => path('old', name))
  for (const file of files) writeFileSync(file, 'abc')
  const positions = Object.fromEntries(files.map((file) => [file, LENGTH]))
  const identities = Object.fromEntries(files.map((file) => [file, identityOf(file) ?? '']))
  const settings = { output: files.slice(0, 1), links: files[1], depth: 3 }
  return { settings, input: {}, ledger: { ...ledger, positions, files: identities } }
}

const settings = (...output: string[]) => ({ output, overwrite: false })

describe('a file has moved', () => {
  it('if its old place is empty, and the settings name it at another one', () => {
    const saved = savedWith('a.jsonl')
    const [from, to] = [path('old', 'a.jsonl'), path('new', 'b.jsonl')]
    renameSync(from, to)
    const moved = findMovedFiles(saved, settings('-', to))
    expect([...moved]).toEqual([[from, to]])
    const { files } = saved.ledger
    expect(withMovedFiles(saved, moved)).toMatchObject({
      settings: { output: [to], links: undefined, depth: 3 },
      ledger: { positions: { [to]: LENGTH }, files: { [to]: files[from] } },
    })
  })

  it('if the settings name a copy with the same name, and the original is gone', () => {
    const saved = savedWith('a.jsonl')
    const [from, to] = [path('old', 'a.jsonl'), path('new', 'a.jsonl')]
    writeFileSync(to, 'abcd')
    expect(findMovedFiles(saved, settings(to)).size).toBe(0)
    rmSync(from)
    expect([...findMovedFiles(saved, settings(to))]).toEqual([[from, to]])
    expect(findMovedFiles(saved, { ...settings(to), overwrite: true }).size).toBe(0)
    writeFileSync(to, 'ab')
    expect(findMovedFiles(saved, settings(to)).size).toBe(0)
  })

  it('only if there is a file at its new place, in states of versions without identities, too', () => {
    const saved = savedWith('a.jsonl')
    rmSync(path('old', 'a.jsonl'))
    const { files: _, ...older } = saved.ledger
    const missing = settings(path('new', 'a.jsonl'))
    expect(findMovedFiles(saved, missing).size).toBe(0)
    expect(findMovedFiles({ ...saved, ledger: older }, missing).size).toBe(0)
  })

  it('if the settings name it by a link', () => {
    const saved = savedWith('a.warc.gz', 'a.cdxj')
    symlinkSync(path('old'), path('link'))
    const names = ['a.warc.gz', 'a.cdxj'].map((name) => [path('old', name), path('link', name)])
    expect([...findMovedFiles(saved, settings(path('link', 'a.warc.gz')))]).toEqual(names)
    const both = settings(path('old', 'a.warc.gz'), path('link', 'a.warc.gz'))
    expect(findMovedFiles(saved, both).size).toBe(0)
  })

  it('if a file next to it has moved', () => {
    const saved = savedWith('a.warc.gz', 'a.cdxj', 'gone')
    const moves = ['a.warc.gz', 'a.cdxj'].map((name) => [path('old', name), path('new', name)])
    for (const [from = '', to = ''] of moves) renameSync(from, to)
    rmSync(path('old', 'gone'))
    expect([...findMovedFiles(saved, settings(path('new', 'a.warc.gz')))]).toEqual(moves)
  })
})
