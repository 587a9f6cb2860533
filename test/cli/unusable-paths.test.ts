import { rmdirSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { runCrawl } from '../support/run-cli.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const SEED = 'http://127.0.0.1:9999/'
const ENDLESS = 'ELOOP: too many symbolic links encountered'

describe('a path that the system refuses', () => {
  it.each([
    ['a link to itself', 'loop', `can't be used: ${ENDLESS}`],
    ['a folder below a link to itself', 'loop/state', `can't be used: ${ENDLESS}`],
    ['a name that is too long', 'x'.repeat(300), "can't be used: ENAMETOOLONG"],
    ["a folder below one that can't be created", '/proc/x/y', "can't be used: ENOENT"],
  ])('is reported in one sentence as --state: %s', async (_, state, message) => {
    await symlink('loop', path('loop'))
    const { code, stderr } = await callCrawl([SEED, '-q', '--state', state], '', { cwd: path() })
    expect(code).toBe(6)
    expect(stderr).toMatch(/^crawl: [^\n]+\n$/)
    expect(stderr).toContain(`${state}: ${message}`)
  })

  it('is reported in one sentence as the input of a report', async () => {
    await symlink('loop', path('loop'))
    const { code, stderr } = await callCrawl(['report', path('loop')])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^crawl: \S+loop: expected a readable file of visits, got ELOOP: [^\n]+\n$/,
    )
  })

  it('is reported in one sentence if the current directory was removed', async () => {
    await mkdir(path('gone'))
    const options = { cwd: path('gone'), onStart: () => rmdirSync(path('gone')) }
    const { code, stderr } = await runCrawl([SEED, '-q', '--state', 'state'], options)
    expect(code).toBe(2)
    expect(stderr).toBe(
      'crawl: expected a current directory that exists, got one that was removed\n',
    )
  })

  it('is reported in one sentence in a plan', async () => {
    const { code, stdout } = await runCrawl(['plan'], { env: { TMPDIR: path('none') } })
    expect(code).toBe(0)
    expect(stdout).toContain(
      `--seen hybrid: ${path('none')}: can't create temporary files there: ENOENT`,
    )
  })

  it.each(chosen(['hybrid', 'sqlite'], (seen) => seen === 'hybrid'))(
    'is reported in one sentence as TMPDIR, with --seen %s',
    async (seen) => {
      await writeFile(path('file'), '')
      const env = { TMPDIR: path('file') }
      const { code, stderr } = await runCrawl([SEED, '-q', '--seen', seen], { env })
      expect(code).toBe(5)
      expect(stderr).toBe(
        `crawl: --seen ${seen}: ${path('file')}: can't create temporary files there: ENOTDIR: not a directory\n`,
      )
    },
  )
})
