import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, readlink, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ORIGINALS, Originals } from '../../src/mirror/originals.ts'
import { OutputFolder } from '../../src/saved-files/output-folder.ts'
import { serveTree } from '../cli/tree-site.ts'
import { callCrawl } from '../support/call-cli.ts'
import { alter, useFolder } from '../support/state-run.ts'

const path = useFolder()
const DEAR = 'dear data'
const OPTIONS = { mayExist: false, isDurable: false, internal: ORIGINALS }

beforeEach(async () => {
  await mkdir(path('home', 'host'), { recursive: true })
  await writeFile(path('home', 'dear.txt'), DEAR)
  await mkdir(path('mirror'))
})

/** Checks that the folder which the links lead to is unchanged. */
async function expectUntouched(): Promise<void> {
  const files = await readdir(path('home'), { recursive: true })
  expect(files.sort()).toEqual(['dear.txt', 'host'])
  expect(await readFile(path('home', 'dear.txt'), 'utf8')).toBe(DEAR)
}

describe('nothing is written through a symbolic link in the folder of a mirror', () => {
  it.each([
    ['.originals', '../home', 5],
    ['.originals/127.0.0.1+PORT', '../../home', 5],
    ['127.0.0.1+PORT', '../home', 5],
    ['127.0.0.1+PORT/1.html', '../../home/dear.txt', 0],
    ['.originals/127.0.0.1+PORT/1.html', '../../../home/dear.txt', 0],
    ['.incoming', '../home', 0],
    ['.incoming/made', '../../home/dear.txt', 0],
    ['.incoming/1-1', '../../home/dear.txt', 0],
    ['.originals', '../home/not-yet', 5],
  ])('%s -> %s', async (name, target, code) => {
    const site = await serveTree(3)
    const link = path('mirror', name.replace('PORT', new URL(site.url).port))
    await mkdir(join(link, '..'), { recursive: true })
    await symlink(target, link)
    const command = [`${site.url}/1`, '-q', '--save-bodies', path('mirror'), '--overwrite']
    const run = await callCrawl(command)
    await expectUntouched()
    expect(run.code).toBe(code)
    if (code === 0) return
    expect(run.stderr).toBe(
      `crawl: ${link}: expected a folder, got a link or a file that the crawl did not make\n`,
    )
    expect(await readlink(link)).toBe(target)
  })

  it('even if it is created in the middle of a crawl', async () => {
    const folder = OutputFolder.open(path('mirror'), OPTIONS)
    const body = async (name: string) => {
      const file = join(folder.incoming, name)
      await writeFile(file, 'body', { flag: 'wx' })
      return file
    }
    folder.place(await body('1'), 'host/deep/1.html')
    expect(await readFile(path('mirror', 'host', 'deep', '1.html'), 'utf8')).toBe('body')
    await rename(path('mirror', 'host'), path('mirror', 'before'))
    await symlink(path('home'), path('mirror', 'host'))
    const second = await body('2')
    expect(() => folder.place(second, 'host/deep/2.html')).toThrow('expected a folder, got a link')
    // The directory into which workers write isn't found by its name either.
    await rename(path('mirror', '.incoming'), path('mirror', 'moved'))
    await symlink(path('home'), path('mirror', '.incoming'))
    await body('3')
    expect(await readdir(path('mirror', 'moved'))).toEqual(['2', '3'])
    await expectUntouched()
    folder.close('remove')
    await expectUntouched()
  })
})

it('a pipe in place of a saved body is refused, without waiting for it', async () => {
  const folder = OutputFolder.open(path('mirror'), OPTIONS)
  await mkdir(path('mirror', '.originals', 'host'), { recursive: true })
  execFileSync('mkfifo', [path('mirror', '.originals', 'host', '1.html')])
  await expect(new Originals(folder).read('host/1.html')).rejects.toThrow(
    'it is not a regular file',
  )
  folder.close('remove')
})

it("a changed database can't make a mirror write outside of its folder", async () => {
  const site = await serveTree(3)
  const kept = ['--state', path('state'), '--save-bodies', path('mirror')]
  const command = [`${site.url}/1`, '-q', '-d', '9', '-w', '1', ...kept]
  expect((await callCrawl([...command, '--max-pages', '1'])).code).toBe(0)
  alter(path('state'), "UPDATE saved SET file = '../home/dear.txt'")
  const run = await callCrawl(command)
  expect(run.code).toBe(6)
  expect(run.stderr).toMatch(/its database is damaged: saved\.file: expected a file of the folder/)
  await expectUntouched()
})
