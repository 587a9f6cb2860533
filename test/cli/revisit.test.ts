import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import { callCrawl } from '../support/call-cli.ts'
import { type ChangingSite, startChangingSite } from '../support/changing-site.ts'
import { killOnce, runCrawl } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT'

/** Returns a function that runs the same crawl again. It returns the records that were added. */
function recrawler({ server }: ChangingSite, ...args: string[]) {
  const output = path('visits.jsonl')
  const state = ['--state', path('state'), '-o', output, '--ignore-robots', '-w', '1']
  let known = 0
  return async (...more: (string | { killWhen(): boolean })[]) => {
    const typed = more.filter((arg) => typeof arg === 'string')
    const killWhen = more.find((arg) => typeof arg === 'object')?.killWhen
    const command = [`${server.url}/`, ...state, ...args, ...typed]
    const { code, stderr } = await (killWhen === undefined
      ? callCrawl(command)
      : runCrawl(command, { onStart: (child) => killOnce(child, killWhen) }))
    const lines = (await readFile(output, 'utf8')).split('\n').slice(0, -1)
    const all = lines.map((line): Visit => JSON.parse(line))
    const visits = all.slice(known)
    known = lines.length
    const byPath = Object.fromEntries(
      visits.map((visit) => [visit.url.slice(server.url.length), visit]),
    )
    return { code, stderr, all, visits, byPath, changes: changesOf(byPath) }
  }
}

function changesOf(byPath: Readonly<Record<string, Visit>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(byPath).map(([at, { status, change }]) => [at, `${status} ${change}`]),
  )
}

const links = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">x</a>`).join('')

describe('crawl --state --revisit-after', () => {
  it('requests rendered pages without validators, since only a browser shows their new links', async () => {
    const code = `fetch('/data').then((data) => data.text()).then((text) => { document.body.innerHTML = text })`
    const site = await startChangingSite({
      '/': { body: `<body><script>${code}</script>`, etag: '"app"' },
      '/data': { body: links('/old'), type: 'text/plain' },
      '/old': { body: '<p>no scripts', etag: '"old"' },
      '/new': { body: 'new' },
    })
    const crawl = recrawler(site, '--revisit-after', '0', '--render', 'auto')
    expect((await crawl()).changes).toEqual({ '/': '200 new', '/old': '200 new' })
    site.pages.set('/data', { body: links('/old', '/new'), type: 'text/plain' })
    const changes = { '/': '200 same', '/old': '304 same', '/new': '200 new' }
    expect((await crawl()).changes).toEqual(changes)
  })

  it('sends the validators of the last visit, and records the change of each URL', async () => {
    const site = await startChangingSite({
      '/': { body: links('/tagged', '/plain', '/edited', '/gone', '/file', '/moved'), etag: '"1"' },
      '/tagged': { body: links('/below', '/long'), etag: 'W/"weak"', lastModified: DATE },
      '/plain': { body: links('/bare'), lastModified: DATE },
      '/below': { body: 'one' },
      '/long': { body: 'long', etag: `"${'x'.repeat(2_000)}"`, lastModified: 'whenever' },
      '/bare': { body: 'bare', etag: 'no-quotes' },
      '/edited': { body: 'before', etag: '"before"' },
      '/gone': { body: 'here', etag: '"here"' },
      '/file': { body: 'bytes', type: 'application/octet-stream' },
      '/moved': { status: 302, location: '/bare', etag: '"moved"' },
    })
    const crawl = recrawler(site, '--revisit-after', '0', '--retries', '0')
    const first = await crawl()
    expect(first.visits.length).toBe(10)
    expect(new Set(first.visits.map(({ change }) => change))).toEqual(new Set(['new']))
    site.takeConditions()
    site.takeBodies()
    site.pages.set('/edited', { body: links('/fresh'), etag: '"after"' })
    site.pages.set('/fresh', { body: 'fresh' })
    site.pages.set('/below', { body: 'two' })
    site.pages.set('/plain', { status: 500, body: 'oh' })
    site.pages.delete('/gone')
    const second = await crawl()
    expect(second.changes).toEqual({
      '/': '304 same',
      '/tagged': '304 same',
      '/plain': '500 undefined',
      '/below': '200 changed',
      '/long': '200 same',
      '/bare': '200 same',
      '/edited': '200 changed',
      '/fresh': '200 new',
      '/gone': '404 gone',
      '/file': '200 same',
      '/moved': '302 same',
    })
    expect(second.visits.length).toBe(11)
    expect(second.byPath['/']).toMatchObject({ bytes: 0, depth: 0, hop: 'seed' })
    expect(second.byPath['/fresh']).toMatchObject({ depth: 2, via: `${site.server.url}/edited` })
    expect(site.takeConditions()).toEqual({
      '/': { 'if-none-match': '"1"' },
      '/tagged': { 'if-none-match': 'W/"weak"', 'if-modified-since': DATE },
      '/plain': { 'if-modified-since': DATE },
      '/below': {},
      '/long': {},
      '/bare': {},
      '/edited': { 'if-none-match': '"before"' },
      '/fresh': {},
      '/gone': { 'if-none-match': '"here"' },
      '/file': {},
      '/moved': {},
    })
    const sent = ['/below', '/edited', '/file', '/fresh', '/long', '/bare', '/moved', '/plain']
    expect(site.takeBodies()).toEqual(sent.toSorted())
    site.pages.set('/gone', { body: 'back' })
    site.pages.set('/file', { body: 'other', type: 'application/octet-stream' })
    site.pages.set('/moved', { status: 302, location: '/elsewhere' })
    site.pages.set('/plain', { body: 'whatever it was', lastModified: DATE })
    expect((await crawl()).changes).toMatchObject({
      '/gone': '200 changed',
      '/file': '200 changed',
      '/edited': '304 same',
      '/moved': '302 changed',
      '/elsewhere': '404 new',
      // Records of failed responses are not compared.
      '/plain': '304 same',
    })
  })

  it('rereads a page that is now nearer to the seeds, and reports if nothing is due', async () => {
    const site = await startChangingSite({
      '/': { body: links('/1') },
      '/1': { body: links('/2'), etag: '"1"' },
      '/2': { body: links('/3'), etag: '"2"' },
      '/3': { body: 'deep' },
    })
    const crawl = recrawler(site, '--revisit-after', '0', '--depth', '2')
    expect(Object.keys((await crawl()).byPath)).toEqual(['/', '/1', '/2'])
    site.pages.set('/', { body: links('/1', '/2') })
    site.takeConditions()
    const second = await crawl()
    expect(site.takeConditions()['/2']).toEqual({})
    expect(second.byPath['/2']).toMatchObject({ depth: 1, change: 'same' })
    expect(second.byPath['/3']).toMatchObject({ depth: 2, change: 'new' })
    const third = await crawl('--revisit-after', '1h')
    expect(third).toMatchObject({ code: 0, visits: [] })
    expect(third.stderr).toContain(
      'finished, with 7 visits in 2 rounds, none of which is due; another --state begins a new crawl\n',
    )
    expect(site.takeConditions()).toEqual({})
  })

  it('sums up the round, and adds the visits of this run and of all rounds if they differ', async () => {
    const site = await startChangingSite({ '/': { body: links('/a', '/none') }, '/a': {} })
    const crawl = recrawler(site, '--revisit-after', '0', '--log-level', 'info')
    const last = async (...more: string[]) =>
      JSON.parse((await crawl(...more)).stderr.trimEnd().split('\n').at(-1) ?? '')
    const whole = await last()
    expect(whole.msg).toMatch(/^Finished: 3 visits, 1 HTTP error, /)
    expect(whole).not.toHaveProperty('round')
    const part = await last('--max-pages', '1')
    expect(part.msg).toMatch(
      /^Ended by --max-pages: 1 visit in round 2 \(4 in all rounds\), [\d.]+\/s/,
    )
    const rest = await last()
    expect(rest.msg).toMatch(
      /^Finished: 3 visits in round 2 \(2 of them in this run, 6 in all rounds\), 1 HTTP error, /,
    )
    expect(rest).toMatchObject({ visits: 6, visitsOfRun: 2, statuses: { 404: 2 } })
    expect(rest.round).toMatchObject({ number: 2, visits: 3, statuses: { 404: 1 } })
    expect(rest.round.elapsedMs).toBeLessThan(rest.elapsedMs)
  })

  it('applies --max-pages to each round', async () => {
    const site = await startChangingSite({ '/': { body: links('/a', '/b') }, '/a': {}, '/b': {} })
    const crawl = recrawler(site, '--revisit-after', '0', '--max-pages', '2')
    const rounds = [await crawl(), await crawl()]
    expect(rounds.map(({ visits }) => visits.length)).toEqual([2, 2])
    expect(rounds[1]?.changes['/']).toBe('200 same')
  })

  it('writes each URL of a round once, even if it is killed in the middle', async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`)
    const site = await startChangingSite(
      { '/': { body: links(...paths) }, ...Object.fromEntries(paths.map((path) => [path, {}])) },
      10,
    )
    const crawl = recrawler(site, '--revisit-after', '0', '--per-host', '1')
    await crawl()
    for (const path of paths) site.pages.set(path, { body: `now ${path}` })
    const before = site.server.requests.length
    const killed = await crawl({ killWhen: () => site.server.requests.length > before + 20 })
    expect(killed.code).toBe(null)
    const rest = await crawl()
    expect(rest.stderr).toContain('Resumed')
    expect(rest.all.length).toBe(2 * 31)
    const round = rest.all.slice(31)
    expect(new Set(round.map(({ url }) => url)).size).toBe(31)
    const changed = round.filter(({ change }) => change === 'changed')
    expect(changed.length).toBe(30)
  })

  it('is refused without --state', async () => {
    const { code, stderr } = await callCrawl(['http://127.0.0.1:9/', '--revisit-after', '1d'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'crawl: --revisit-after: expected --state with it, the directory of the earlier visits, got none\n',
    )
  })
})
