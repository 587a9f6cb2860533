import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { alter, useFolder, visitsIn } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()
const resume = (...args: readonly string[]) => callCrawl(['--state', path('state'), '-q', ...args])

/** Starts a crawl of ten pages, and ends it after five. */
async function begin(...args: readonly string[]) {
  const site = await serveTree(10)
  const kept = ['-o', path('out.jsonl'), '--state', path('state')]
  const command = [`${site.url}/1`, '-d', '9', '-q', '--max-pages', '5', ...kept, ...args]
  expect(await callCrawl(command)).toMatchObject({ code: 0, stderr: '' })
  return site
}

it('settings that turn off a protection are not taken from --state, and must be given again', async () => {
  const site = await begin('--insecure', '--allow-private', '-H', 'X-Trace: 1')
  const { code, stderr } = await resume('--max-pages', '99')
  expect([code, stderr.split('\n')]).toEqual([
    2,
    [
      `crawl: ${path('state')}: headers: is not taken from a directory of --state: give --header again`,
      `crawl: ${path('state')}: insecure: is not taken from a directory of --state: give --insecure again`,
      `crawl: ${path('state')}: allowPrivate: is not taken from a directory of --state: give --allow-private again`,
      '',
    ],
  ])
  const again = ['--max-pages', '99', '--insecure', '--allow-private', '-H', 'X-Trace: 2']
  expect(await resume(...again)).toMatchObject({ code: 0, stderr: '' })
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(10)
  expect(site.requests.at(-1)?.headers).toMatchObject({ 'x-trace': '2' })
})

it("a state cannot make a crawl append to a file that it didn't write", async () => {
  await begin()
  const dear = 'dear data\n'.repeat(1_000)
  await writeFile(path('dear.txt'), dear)
  const swap = `replace(value, '${path('out.jsonl')}', '${path('dear.txt')}')`
  alter(path('state'), `UPDATE crawl SET value = ${swap}`)
  const inside = await callCrawl(['--state', path('state'), '-q'], '', { cwd: path() })
  expect([inside.code, inside.stderr]).toEqual([
    2,
    `crawl: ${path('state')}: output: ${path('dear.txt')} is not the file that this crawl wrote, or is a copy of it: give --output again\n`,
  ])
  expect(await resume()).toMatchObject({
    code: 2,
    stderr: `crawl: ${path('state')}: output: ${path('dear.txt')} is hidden, or outside of the working directory: give --output again\n`,
  })
  expect(await readFile(path('dear.txt'), 'utf8')).toBe(dear)
})

it('a state cannot make a crawl append through a link to another file, even if -o names the link', async () => {
  const site = await serveTree(10)
  await mkdir(path('cloned'))
  const command = [`${site.url}/1`, '-q', '-w', '1', '-o', 'out.jsonl', '--state', 'state']
  const run = (...args: readonly string[]) =>
    callCrawl([...command, ...args], '', { cwd: path('cloned') })
  expect((await run('--max-pages', '1')).code).toBe(0)
  await rename(path('cloned', 'out.jsonl'), path('cloned', 'before.jsonl'))
  const dear = 'dear data\n'.repeat(1_000)
  await writeFile(path('dear.txt'), dear)
  alter(
    path('cloned', 'state'),
    `UPDATE crawl SET value = json_replace(value, '$.positions', json_object('${path('cloned', 'out.jsonl')}', 0)) WHERE name = 'ledger'`,
  )
  for (const target of ['dear.txt', 'not-yet']) {
    await symlink(`../${target}`, path('cloned', 'out.jsonl'))
    expect(await run()).toMatchObject({
      code: 2,
      stderr: `crawl: state: output: ${path('cloned', 'out.jsonl')} is not the file that this crawl wrote, or is a copy of it: give --output with the target of the link\n`,
    })
    await rm(path('cloned', 'out.jsonl'))
  }
  expect(await readFile(path('dear.txt'), 'utf8')).toBe(dear)
  expect(existsSync(path('not-yet'))).toBe(false)
})

it('a state cannot make a crawl create a file outside of the working directory', async () => {
  await begin()
  await rename(path('out.jsonl'), path('moved.jsonl'))
  await mkdir(path('away'))
  const run = await callCrawl(['--state', path('state'), '-q'], '', { cwd: path('away') })
  expect(run).toMatchObject({
    code: 2,
    stderr: `crawl: ${path('state')}: output: ${path('out.jsonl')} is hidden, or outside of the working directory: give --output again\n`,
  })
})

it('a copy of a state continues a copy of its output if --output names it again', async () => {
  await begin()
  await mkdir(path('copy'))
  for (const name of ['state', 'out.jsonl'])
    await cp(path(name), path('copy', name), { recursive: true })
  await rename(path('out.jsonl'), path('gone.jsonl'))
  await cp(path('copy', 'out.jsonl'), path('out.jsonl'))
  const command = ['--state', path('copy', 'state'), '-q', '--max-pages', '99', '--allow-private']
  expect((await callCrawl(command)).code).toBe(2)
  const given = [...command, '-o', path('out.jsonl')]
  expect(await callCrawl(given)).toMatchObject({ code: 0, stderr: '' })
  expect(await visitsIn(path('out.jsonl'))).toHaveLength(10)
})
