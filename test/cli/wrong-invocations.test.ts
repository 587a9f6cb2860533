import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'

/** Pairs of lines: a command, and its exit code with its stderr. `URL` is a seed. */
const TABLE = readFileSync(new URL('wrong-invocations.txt', import.meta.url), 'utf8')
const ROWS = [...TABLE.matchAll(/^\$ crawl ?(.*)\n(\d+) (.+)$/gm)].map(
  ([, words = '', code, message = '']) => ({ words, code: Number(code), message }),
)

const path = useFolder()

/** Splits words as a shell does, with single quotes only. */
function argsOf(words: string): string[] {
  const found = [...words.matchAll(/'([^']*)'|(\S+)/g)]
  return found.map(([, quoted, bare = '']) =>
    (quoted ?? bare).replace(/^URL$/, 'http://127.0.0.1:9/'),
  )
}

describe('a wrong invocation', () => {
  beforeAll(() => {
    expect(ROWS.length).toBeGreaterThanOrEqual(100)
    expect(ROWS.length).toBe(TABLE.match(/^\$/gm)?.length)
  })

  it.each(ROWS)('is explained in one line: crawl $words', async ({ words, code, message }) => {
    mkdirSync(path('folder'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(path(name), text)
    const run = await callCrawl(argsOf(words), '', { cwd: path() })
    const stderr = run.stderr.replaceAll(path(), '/here')
    expect({ code: run.code, stdout: run.stdout, stderr }).toEqual({
      ...{ code, stdout: '', stderr: `crawl: ${message}\n` },
    })
  })
})

/** Files next to an empty folder, in which the commands run. */
const FILES = {
  'folder/file': 'x',
  'text.jsonl': 'not json\n',
  'list.json': '[1]',
  'typo.json': '{"depht":1}',
  'bad.txt': 'ftp://x\n',
  'titled.txt': '# my pages\nhttp://h/b.html # my page\n',
  'twice.json': '{"n":".a","n[]":".b"}',
  'empty.txt': '# none\n',
  'seeds.txt': 'http://127.0.0.1:9/\n',
  'set.json': '{}',
  'good.jsonl': '{"url":"http://a.test/"}\n',
}
