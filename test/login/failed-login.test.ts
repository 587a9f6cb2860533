import { readdir, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const NAMES = ['a.jsonl', 'a.csv.gz', 'a.xml', 'a.sqlite', 'a.warc.gz', 'a.cdxj']
const outputs = () => NAMES.slice(0, 5).flatMap((name) => ['-o', path(name)])

const contents = (names: readonly string[]) =>
  Promise.all(names.map((name) => readFile(path(name), 'latin1')))

/**
 * Serves pages that link to the next one, and a form that rejects any password. Returns a seed, and flags to log in.
 */
async function serveRefusing() {
  const site = await serve(({ url = '' }, response) => {
    const next = Number(/\d+/.exec(url)?.[0] ?? 0) + 1
    response.setHeader('content-type', 'text/html')
    response.end(url === '/login' ? '<form method=post><input name=user>' : `<a href="/${next}">`)
  })
  const login = { url: `${site.url}/login`, fields: { user: 'me' }, check: { cookie: 'session' } }
  await writeFile(path('login.json'), JSON.stringify(login))
  return { seed: `${site.url}/1`, login: ['--login', path('login.json')] }
}

it('a failed login keeps the files that the crawl would have replaced', async () => {
  const { seed, login } = await serveRefusing()
  const names = [...NAMES, 'skipped']
  for (const name of names) await writeFile(path(name), 'dear data')
  const flags = ['-q', ...outputs(), '--skipped', path('skipped'), '--overwrite']
  expect((await callCrawl([seed, ...flags, ...login])).code).toBe(2)
  expect(await contents(names)).toEqual(names.map(() => 'dear data'))
})

it('a failed login creates no file, not even a mirror', async () => {
  const { seed, login } = await serveRefusing()
  const flags = ['-q', '-o', path('a.jsonl'), '--save-bodies', path('mirror')]
  expect((await callCrawl([seed, ...flags, ...login])).code).toBe(2)
  expect(await readdir(path())).toEqual(['login.json'])
})

it('a failed login keeps the files that earlier runs with --state wrote', async () => {
  const { seed, login } = await serveRefusing()
  const mirror = ['--save-bodies', path('mirror')]
  const flags = ['-q', '-d', '9', '--state', path('state'), ...outputs(), ...mirror]
  expect((await callCrawl([seed, ...flags, '--max-pages', '3'])).code).toBe(0)
  const before = await contents(NAMES)
  expect(before.filter((text) => text === '')).toEqual([])
  expect((await callCrawl([seed, ...flags, ...login])).code).toBe(2)
  expect(await contents(NAMES)).toEqual(before)
  expect((await callCrawl([seed, ...flags])).code).toBe(0)
  expect((await readFile(path('a.jsonl'), 'utf8')).trimEnd().split('\n')).toHaveLength(10)
})
