import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { ConfigInput } from '../../src/config/schema.ts'
import { crawl } from '../../src/crawl/crawl.ts'
import { crawlSite, serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const home = '<title>Home</title><h1>Orb</h1><a href=/a>a</a><a href=/b>b</a><a href=/a>a</a>'
const site = () => serveSite({ '/': home, '/a': '<base href=/sub/><p>x', '/b': '<p>y' })

/** Crawls with hooks of this code. */
async function crawlWith(code: string, config: ConfigInput = {}, pages = site()) {
  await writeFile(path('hooks.mjs'), code)
  return crawlSite(await pages, { workers: 1, hooks: path('hooks.mjs'), ...config })
}

/** One page per name, each linked to from the root, with a link of its own. */
function linked(...names: readonly string[]) {
  const links = names.map((name) => `<a href=/${name}>to</a>`).join('')
  const pages = names.map((name): [string, string] => [`/${name}`, `<a href=/${name}/next>to</a>`])
  return serveSite({ '/': `<h1>Orb</h1>${links}`, ...Object.fromEntries(pages) })
}

it('onPage sees the page, and adds data to its record', async () => {
  const code = `export async function onPage({ body, headers, html, ...page }) {
    await null
    return { ...page, sizes: [body.length, html.length], type: headers['content-type'] }
  }`
  const { byPath } = await crawlWith(code, { extract: { h: 'h1' } })
  const { url = '', data } = byPath.get('/') ?? {}
  expect(data).toEqual({
    ...{ h: 'Orb', url, status: 200, depth: 0, charset: 'utf-8', title: 'Home', base: url },
    ...{ sizes: [home.length, home.length], type: 'text/html; charset=utf-8', data: { h: 'Orb' } },
  })
  expect(byPath.get('/a')?.data).toMatchObject({ via: url, depth: 1, base: `${url}sub/` })
  expect(byPath.get('/a')?.data).not.toHaveProperty('title')
})

const FAILING = {
  throws: ['throw new Error("no luck")', 'no luck'],
  rejects: ['return Promise.reject(new Error("later"))', 'later'],
  circles: ['for (;;);', 'took longer than 2 s'],
  waits: ['return new Promise(() => {})', 'onPage took longer than 2 s'],
  text: ['return "x"', 'onPage: expected an object of data, got a string'],
  bigint: ['return { n: 1n }', 'Do not know how to serialize a BigInt'],
  much: ['return { x: "x".repeat(2 ** 21) }', /^onPage: expected data of at most 1 MiB as JSON/],
} as const

it('onPage that fails is an error in the record, and links are followed', async () => {
  const names = Object.keys(FAILING)
  const cases = Object.entries(FAILING).map(([name, [body]]) => `if (path === '/${name}') ${body}`)
  const code = `export function onPage({ url }) {
    const path = new URL(url).pathname
    ${cases.join('\n')}
  }`
  const config = { hookTimeout: '2s', extract: { 'links[]': 'a@href' } }
  const { byPath, visits } = await crawlWith(code, config, linked(...names))
  expect(visits).toHaveLength(1 + 2 * names.length)
  expect(byPath.get('/')).not.toHaveProperty('error')
  for (const [name, [, message]] of Object.entries(FAILING)) {
    const visit = byPath.get(`/${name}`)
    expect(visit).toMatchObject({ status: 200, error: { code: 'hook-failed' }, discovered: 1 })
    expect(visit?.error?.message, name).toMatch(message)
    expect(visit?.data?.['links']).toHaveLength(1)
  }
})

it('shouldFollow decides on each link of a page, once', async () => {
  const { visits, summary } = await crawlWith(
    `const asked = []
    export const shouldFollow = ({ url, depth }, page) => {
      asked.push([new URL(url).pathname, depth, page.title])
      return !url.endsWith('/b')
    }
    export const onPage = ({ depth }) => (depth === 1 ? { asked } : undefined)`,
  )
  const asked = ['/a', '/b'].map((link) => [link, 1, 'Home'])
  expect(visits).toHaveLength(2)
  expect(visits[0]).not.toHaveProperty('data')
  expect(visits[1]).toMatchObject({ data: { asked } })
  expect(summary.skipped).toEqual({ hook: 1 })
})

it('shouldFollow that fails lets no link of its page through', async () => {
  const code = `export function shouldFollow({ url }, { depth }) {
    if (depth === 0) return true
    if (url.includes('throws')) throw new Error('no luck')
    if (url.includes('circles')) for (;;);
    return Promise.resolve(true)
  }`
  const pages = linked('throws', 'circles', 'promise')
  const { byPath, summary } = await crawlWith(code, { hookTimeout: '2s' }, pages)
  expect(byPath.size).toBe(4)
  const told = ['/throws', '/circles', '/promise'].map((name) => byPath.get(name)?.error)
  expect(told).toEqual([
    { code: 'hook-failed', message: 'no luck' },
    { code: 'hook-failed', message: 'took longer than 2 s' },
    { code: 'hook-failed', message: 'shouldFollow: expected true or false, got a promise' },
  ])
  expect(summary.skipped).toEqual({ hook: 3 })
})

it('a module without hooks ends the crawl with an error for the user', async () => {
  await writeFile(path('hooks.mjs'), 'export const onpage = 1')
  const config = { seeds: ['http://127.0.0.1:9/'], workers: 2, hooks: path('hooks.mjs') }
  await expect(crawl(config).finished).rejects.toMatchObject({
    name: 'CrawlerError',
    kind: 'usage',
  })
})

it('code that fails after its page, while the workers end, costs nothing', async () => {
  const code = `export function onPage() {
    setTimeout(() => { throw new Error('too late') }, 100)
    return { n: 1 }
  }`
  const { visits } = await crawlWith(code, {}, serveSite({ '/': '<p>x' }))
  expect(visits.map(({ data }) => data)).toEqual([{ n: 1 }])
})
