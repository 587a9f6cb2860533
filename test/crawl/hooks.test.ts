import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts'
import { crawlSite, serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'
import { runAndLog } from './run-and-log.ts'

const path = useFolder()
const home = '<title>Home</title><h1>Orb</h1><a href=/a>a</a><a href=/b>b</a><a href=/a>a</a>'
const site = () => serveSite({ '/': home, '/a': '<base href=/sub/><p>x', '/b': '<p>y' })

/** Runs a crawl with hooks of this code. */
async function crawlWith(code: string, config: CrawlOptions = {}, pages = site()) {
  await writeFile(path('hooks.mjs'), code)
  return crawlSite(await pages, { workers: 1, hooks: path('hooks.mjs'), ...config })
}

/** Returns one page per name, each linked to from the root, with a link of its own. */
function linked(...names: readonly string[]) {
  const links = names.map((name) => `<a href=/${name}>to</a>`).join('')
  const pages = names.map((name): [string, string] => [`/${name}`, `<a href=/${name}/next>to</a>`])
  return serveSite({ '/': `<h1>Orb</h1>${links}`, ...Object.fromEntries(pages) })
}

it('onPage receives the page, and adds data to its record', async () => {
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

/** An endless loop that leaves the processor to others. */
const CIRCLE = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)'

const FAILING = {
  throws: ['throw new Error("no luck\\nat all")', /^no luck \(hooks\.mjs:3:35\)$/],
  rejects: ['return Promise.reject(new Error("later"))', /^later \(hooks\.mjs:4:\d+\)$/],
  circles: [CIRCLE, 'took longer than 2 s'],
  waits: ['return new Promise(() => {})', 'onPage took longer than 2 s'],
  text: ['return "x"', 'onPage: expected data that is an object as JSON, got a string'],
  list: ['return [1]', 'onPage: expected data that is an object as JSON, got a list'],
  date: ['return new Date(0)', 'onPage: expected data that is an object as JSON, got a string'],
  none: [
    'return { toJSON() {} }',
    'onPage: expected data that is an object as JSON, got undefined',
  ],
  map: [
    'return new Map([["n", 1]])',
    'onPage: expected data that is an object as JSON, got a value of type Map',
  ],
  generator: [
    'return (async function* () { yield { n: 1 } })()',
    'onPage: expected data that is an object as JSON, got a value of type AsyncGenerator',
  ],
  odd: ['throw Object.create(null)', '[Object: null prototype] {}'],
  bigint: ['return { n: 1n }', 'Do not know how to serialize a BigInt'],
  much: [
    'return { x: "x".repeat(2 ** 21) }',
    /^onPage: expected data of at most 1048576 characters as JSON/,
  ],
} as const

it('onPage that fails is an error in the record, and the links are followed', async () => {
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

it('shouldFollow decides on each link of a page once', async () => {
  const { visits, summary } = await crawlWith(
    `const considered = []
    export const shouldFollow = ({ url, depth }, page) => {
      considered.push([new URL(url).pathname, depth, page.title])
      return !url.endsWith('/b')
    }
    export const onPage = ({ depth }) => (depth === 1 ? { considered } : undefined)`,
  )
  const considered = ['/a', '/b'].map((link) => [link, 1, 'Home'])
  expect(visits).toHaveLength(2)
  expect(visits[0]).not.toHaveProperty('data')
  expect(visits[1]).toMatchObject({ data: { considered } })
  expect(summary.skipped).toEqual({ hook: 1 })
})

it('shouldFollow that fails rejects all links of its page', async () => {
  const code = `export function shouldFollow({ url }, { depth }) {
    if (depth === 0) return true
    if (url.includes('throws')) throw new Error('no luck')
    if (url.includes('circles')) ${CIRCLE}
    return Promise.resolve(true)
  }`
  const pages = linked('throws', 'circles', 'promise')
  const { byPath, summary } = await crawlWith(code, { hookTimeout: '2s' }, pages)
  expect(byPath.size).toBe(4)
  const failures = ['/throws', '/circles', '/promise'].map((name) => byPath.get(name)?.error)
  expect(failures).toEqual([
    { code: 'hook-failed', message: 'no luck (hooks.mjs:3:39)' },
    { code: 'hook-failed', message: 'took longer than 2 s' },
    { code: 'hook-failed', message: 'shouldFollow: expected true or false, got a promise' },
  ])
  expect(summary.skipped).toEqual({ hook: 3 })
})

it('enqueue treats URLs like links of the page: scope, patterns, depth and the seen set apply', async () => {
  const code = `export const onPage = ({ url, depth }, { enqueue }) => {
    if (depth > 0) return enqueue('/deep')
    for (const path of ['b', '/c#x', new URL('/d?utm_source=x', url), '/no', '/a', '/hook', '/c'])
      enqueue(path)
    for (const path of ['http://127.0.0.2:9/', 'mailto:a@b', 'http://[', '/robots']) enqueue(path)
  }
  export const shouldFollow = ({ url }) => !url.endsWith('/hook')`
  const pages = await serveSite({
    '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /robots'),
    ...{ '/': '<base href=/sub/><a href=/a>a</a>', '/a': '', '/sub/b': '', '/c': '', '/d': '' },
  })
  await writeFile(path('hooks.mjs'), code)
  const config = { depth: 1, exclude: ['/no'], canonicalize: ['strip-tracking' as const] }
  const input = {
    seeds: [`${pages.url}/`],
    workers: 1,
    hooks: path('hooks.mjs'),
    ...config,
    skipped: '-',
  }
  const { visits, skips } = await runAndLog(input)
  const met = visits.map(({ url, depth, hop, via = '' }) => [url, depth, hop, via])
  const home = `${pages.url}/`
  expect(met.sort()).toEqual(
    [
      [home, 0, 'seed', ''],
      ...['a', 'c', 'd', 'sub/b'].map((name) => [home + name, 1, 'link', home]),
    ].sort(),
  )
  expect(visits.find(({ url }) => url === home)).toMatchObject({ links: 1, discovered: 5 })
  expect(skips.map(({ url, reason }) => `${reason} ${url.replace(home, '/')}`).sort()).toEqual([
    ...['depth /deep', 'excluded /no', 'hook /hook', 'invalid-url http://['],
    ...['out-of-scope http://127.0.0.2:9/', 'robots /robots', 'scheme mailto:a@b'],
  ])
})

it('enqueue accepts at most 1,000 URLs per page, and none after the hook has returned', async () => {
  const code = `let late
  export const onPage = ({ depth, url }, crawl) => {
    if (url.endsWith('/none')) return crawl.enqueue(7)
    if (url.endsWith('/1')) return late('/late')
    if (depth > 0) return
    late = crawl.enqueue
    crawl.enqueue('/none')
    for (let n = 1; n <= 1_000; n++) crawl.enqueue('/' + n)
  }`
  const pages = serveSite({ '/': '', '/1': '', '/999': '', '/none': '' })
  // None of the other URLs is requested.
  const include = ['/(?:1|999|1000|none)$']
  const { byPath } = await crawlWith(code, { include }, pages)
  const error = (path: string) => byPath.get(path)?.error
  const limit = 'enqueue: expected at most 1000 URLs of a page'
  expect(error('/')).toEqual({ code: 'hook-failed', message: `${limit} (hooks.mjs:8:44)` })
  // URLs before the limit are crawled nevertheless.
  expect([byPath.has('/999'), byPath.has('/1000')]).toEqual([true, false])
  const kind = 'enqueue: expected a URL, got a number'
  expect(error('/none')).toEqual({ code: 'hook-failed', message: `${kind} (hooks.mjs:3:45)` })
  const done = 'enqueue: expected a call before onPage is done'
  expect(error('/1')).toEqual({ code: 'hook-failed', message: `${done} (hooks.mjs:4:36)` })
})

it('a module without hooks ends the crawl with a usage error', async () => {
  await writeFile(path('hooks.mjs'), 'export const onpage = 1')
  const config = { seeds: ['http://127.0.0.1:9/'], workers: 2, hooks: path('hooks.mjs') }
  await expect(crawl(config).finished).rejects.toMatchObject({
    name: 'CrawlerError',
    kind: 'usage',
  })
})

it('an error in a timer of a hook, after its page is done, is ignored', async () => {
  const code = `export function onPage() {
    setTimeout(() => { throw new Error('too late') }, 100)
    return { n: 1 }
  }`
  const { visits } = await crawlWith(code, {}, serveSite({ '/': '<p>x' }))
  expect(visits.map(({ data }) => data)).toEqual([{ n: 1 }])
})
