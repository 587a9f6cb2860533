import { execFileSync } from 'node:child_process'
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { readState } from '../../src/state/read-state.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { runCrawl } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const DEAR = 'dear data'

beforeEach(async () => {
  await mkdir(path('state'))
  await writeFile(path('dear.txt'), DEAR)
})

describe('a directory of --state with a symbolic link', () => {
  it.each([
    ...['crawl.sqlite', 'crawl.sqlite-wal', 'lock.sqlite', 'pid', 'seen.sqlite'],
    ...['seen-0.snapshot', 'seen-1.snapshot.tmp'],
  ])('in place of %s is refused, and nothing is written through it', async (name) => {
    StateDirectory.open(path('state')).close()
    await writeFile(path('state', 'lock.sqlite'), '')
    if (name === 'lock.sqlite') await writeFile(path('state', 'crawl.sqlite'), '')
    const link = path('state', name)
    await rm(link, { force: true })
    await symlink('../dear.txt', link)
    expect(() => StateDirectory.open(path('state'))).toThrow(
      `${path('state')}: expected ${name} to be a file, got a symbolic link`,
    )
    expect(await readFile(path('dear.txt'), 'utf8')).toBe(DEAR)
  })

  it('or with a journal that names another file is refused', async () => {
    StateDirectory.open(path('state')).close()
    await writeFile(path('state', 'lock.sqlite'), '')
    const magic = Buffer.from('d9d505f920a163d7', 'hex')
    const journal = Buffer.concat([magic, Buffer.from(path('dear.txt')), magic])
    await writeFile(path('state', 'crawl.sqlite-journal'), journal)
    expect(() => StateDirectory.open(path('state'))).toThrow(
      'expected crawl.sqlite-journal to belong to its database alone, got a journal of several',
    )
  })

  it.each(['commits', 'crawl.sqlite-journal', 'crawl.sqlite-shm', 'lock.sqlite'])(
    'in place of %s is not read',
    async (name) => {
      await writeFile(path('state', 'crawl.sqlite'), '')
      await symlink('../dear.txt', path('state', name))
      expect(() => readState(path('state'), () => {})).toThrow(
        `${path('state')}: expected ${name} to be a file, got a symbolic link`,
      )
    },
  )

  it.runIf(process.getuid?.() === 0)(
    'or with a file of another user is refused (changes owners, so only for root)',
    async () => {
      await writeFile(path('state', 'crawl.sqlite'), '')
      await chown(path('state', 'crawl.sqlite'), 12_345, 12_345)
      expect(() => StateDirectory.open(path('state'))).toThrow(
        `${path('state')}: expected crawl.sqlite of your own, got one of another user`,
      )
    },
  )

  it('or with a pipe makes no command wait', async () => {
    await writeFile(path('state', 'crawl.sqlite'), '')
    execFileSync('mkfifo', [path('state', 'commits')])
    const { code, stderr } = await runCrawl(['state', path('state')], { timeoutMs: 30_000 })
    const message = `${path('state')}: expected commits to be a file, got something else`
    expect([code, stderr]).toEqual([6, `crawl: ${message}\n`])
  })

  it('in place of its database has no readable state', async () => {
    await symlink('../dear.txt', path('state', 'crawl.sqlite'))
    expect(() => readState(path('state'), () => {})).toThrow(
      'expected the state of a crawl, got none',
    )
  })
})

it('an existing directory that is not used after all keeps its mode', async () => {
  await chmod(path('state'), 0o751)
  const directory = StateDirectory.open(path('state'))
  expect((await stat(path('state'))).mode & 0o777).toBe(0o700)
  directory.close()
  expect([(await stat(path('state'))).mode & 0o777, await readdir(path('state'))]).toEqual([
    0o751,
    [],
  ])
})
