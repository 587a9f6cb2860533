import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { serveSite } from '../support/crawl-site.ts'

/** Runs a file of docs/examples against the build. */
async function run(name: string, ...args: readonly string[]) {
  const file = fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', file, ...args])
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, stdout, stderr }
}

const site = () =>
  serveSite({
    '/': '<h1>Home</h1><h2>News</h2><a href=/a>a</a><a href=/print/a>print</a>',
    '/a': '<a href=/missing>gone</a>',
  })

it('broken-links.mjs prints missing pages, and the pages that link to them', async () => {
  const { url } = await site()
  const missing = await run('broken-links.mjs', `${url}/`)
  expect(missing.stdout.split('\n').sort()).toEqual([
    '',
    `404 ${url}/missing ${url}/a`,
    `404 ${url}/print/a ${url}/`,
  ])
  expect(missing).toMatchObject({ code: 0, stderr: expect.stringMatching(/^4 pages in \d+ s\n$/) })
})

it('first-missing.ts stops at the first missing page', async () => {
  const { url } = await serveSite({ '/': '<a href=/missing>' })
  const { code, stdout } = await run('first-missing.ts', `${url}/`)
  expect([code, stdout]).toEqual([0, `${url}/missing is linked from ${url}/\n`])
})

it('headings.mjs prints what hooks and fields extract', async () => {
  const { url } = await site()
  const { code, stdout } = await run('headings.mjs', `${url}/`)
  expect(code).toBe(0)
  const [first, second] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(first).toEqual({ url: `${url}/`, headings: ['Home', 'News'], words: 3, first: 'Home' })
  expect(second).toEqual({ url: `${url}/a`, headings: [], words: 2 })
})
