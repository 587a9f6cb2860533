import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { serveTree } from '../cli/tree-site.ts'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const DEAR = 'dear data'

describe('next to an output file, nothing is written through symbolic links', () => {
  it.each(['dear.txt', 'not-yet'])('to %s, for the index of an archive', async (target) => {
    const site = await serveTree(2)
    await writeFile(path('dear.txt'), DEAR)
    await symlink(target, path('site.cdxj'))
    const command = [site.url, '-q', '-o', path('site.warc.gz'), '--overwrite']
    const run = await callCrawl(command)
    expect(run.code).toBe(5)
    expect(run.stderr).toMatch(/^crawl: .+site\.cdxj: can't be written: E(?:LOOP|NOENT).*\n$/)
    expect(await readFile(path('dear.txt'), 'utf8')).toBe(DEAR)
    expect(existsSync(path('not-yet'))).toBe(false)
  })

  it('but the output file itself may be a symbolic link', async () => {
    const site = await serveTree(2)
    await symlink('elsewhere.jsonl', path('out.jsonl'))
    await writeFile(path('elsewhere.jsonl'), '')
    const run = await callCrawl([`${site.url}/1`, '-q', '-o', path('out.jsonl'), '--overwrite'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(path('elsewhere.jsonl'), 'utf8')).toContain('"status":200')
  })
})
