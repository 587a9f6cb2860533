import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { localConfig } from '../../../src/cluster/local-config.ts'
import { resolveConfig } from '../../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../../src/config/schema.ts'
import { startCrawl } from '../../../src/crawl/start-crawl.ts'
import { TUNING, type Tuning } from '../../../src/crawl/tuning.ts'
import { openOutputs } from '../../../src/formats/open-outputs.ts'
import { silentLogger } from '../../../src/logger.ts'
import { allocateSeenSet, openSeenSet } from '../../../src/seen/seen-set-lifecycle.ts'
import { loadSnapshot, writeSnapshot } from '../../../src/seen/snapshot.ts'
import { storeSettings } from '../../../src/state/resume-settings.ts'
import { StateDirectory } from '../../../src/state/state-directory.ts'
import { serveSite } from '../../support/crawl-site.ts'
import { serve } from '../../support/serve.ts'
import { startServer } from '../../support/site-server.ts'
import { alter, ask, useFolder, visitsIn } from '../../support/state-run.ts'
import { besideArticles, SESSION_SITES } from '../endless-sites.ts'

const path = useFolder()
const link = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join('')

/** Runs a crawl with a state. */
async function run(settings: ConfigInput, tuning: Partial<Tuning> = {}) {
  const input = { workers: 1, ...settings, output: path('out.jsonl') }
  const config = resolveConfig(input)
  const directory = StateDirectory.open(path('state'))
  storeSettings(directory, config, input)
  const { outputs } = await openOutputs(config, process.stdout, directory)
  const settled = { ...TUNING, ...tuning }
  return startCrawl(config, outputs, silentLogger(), settled).finished
}

const paths = async () => {
  return (await visitsIn(path('out.jsonl'))).map(({ url }) => new URL(url).pathname).sort()
}

describe('a crawl that is resumed', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  it('obeys the rules of robots.txt for its new name', async () => {
    const site = await startServer((request, response) => {
      if (request.url === '/robots.txt') {
        return void response.end('User-agent: abot\nAllow: /\n\nUser-agent: bbot\nDisallow: /\n')
      }
      response.setHeader('content-type', 'text/html')
      response.end(link('/1', '/2'))
    })
    closing.push(() => site.close())
    const settings = { seeds: [`${site.url}/`], allowPrivate: true }
    await run({ ...settings, userAgent: 'abot/1', maxPages: 1 })
    const { skipped } = await run({ ...settings, userAgent: 'bbot/1' })
    expect(skipped).toMatchObject({ robots: 2 })
    expect(await paths()).toEqual(['/'])
  })

  it('continues in the scope that a seed redirected to', async () => {
    const other = await startServer(
      (request, response) => {
        response.setHeader('content-type', 'text/html')
        response.end(request.url === '/' ? link('/a') : request.url === '/a' ? link('/b') : '')
      },
      { host: '127.0.0.2' },
    )
    closing.push(() => other.close())
    const site = await serveSite({
      '/': (_, response) => response.writeHead(302, { location: `${other.url}/` }).end(),
    })
    const settings = { seeds: [`${site.url}/`], allowPrivate: true }
    expect(await run({ ...settings, maxPages: 2 })).toMatchObject({ reason: 'max-pages' })
    expect(await run(settings)).toMatchObject({ reason: 'finished', visits: 4 })
    expect(await paths()).toEqual(['/', '/', '/a', '/b'])
  })

  it('sends the cookies that it received before', async () => {
    const site = await serveSite({
      '/': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'visit=1' })
        response.end(link('/a'))
      },
      '/a': '',
    })
    const settings = { seeds: [`${site.url}/`], cookies: true }
    await run({ ...settings, maxPages: 1 })
    await run(settings)
    const last = site.requests.at(-1)
    expect([last?.url, last?.headers.cookie]).toEqual(['/a', 'visit=1'])
  })

  it('continues its totals', async () => {
    const site = await serveSite({ '/': link('/a', '/b', '/gone'), '/a': '', '/b': '' })
    const settings = { seeds: [`${site.url}/`], concurrency: 1 }
    const before = await run({ ...settings, maxPages: 2 })
    const after = await run(settings)
    expect(after).toMatchObject({ visits: 4, seedsAnswered: 1, statuses: { 200: 3, 404: 1 } })
    expect(after.workers[0]).toMatchObject({ fetched: 4 })
    expect(after.elapsedMs).toBeGreaterThan(before.elapsedMs)
  })

  it('rebuilds the seen set from the database if its snapshot is truncated, changed or gone', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const site = await serveSite({
      '/': link(...names.map((name) => `/${name}`)),
      ...Object.fromEntries(names.map((name) => [`/${name}`, link('/', '/a')])),
    })
    const settings = { seeds: [`${site.url}/`], concurrency: 1 }
    const damages = [
      (file: string) => truncate(file, 2_000),
      async (file: string) => {
        const bytes = await readFile(file)
        bytes.writeUInt8((bytes.at(-9) ?? 0) ^ 1, bytes.length - 9)
        await writeFile(file, bytes)
      },
      (file: string) => rm(file),
    ]
    for (const [index, damage] of damages.entries()) {
      expect(await run({ ...settings, maxPages: index + 1 })).toMatchObject({ reason: 'max-pages' })
      const [saved] = ask(path('state'), "SELECT value FROM crawl WHERE name = 'ledger'")
      await damage(path('state', JSON.parse(String(saved?.['value'])).snapshot.file))
    }
    expect(await run(settings)).toMatchObject({ reason: 'finished', seen: { added: 6 } })
    expect(await paths()).toEqual(['/', ...names.map((name) => `/${name}`)])
  })

  it('loses no page that is only in the snapshot, even if its parent no longer links to it', async () => {
    const site = await serveSite({ '/': link('/a', '/b'), '/a': '', '/b': link('/c'), '/c': '' })
    const settings = { seeds: [`${site.url}/`], concurrency: 1 }
    await run({ ...settings, maxPages: 1 })
    await claimInSnapshot(`${site.url}/c`)
    // The state is that after a crash: /a is in flight, and has added /c to the seen set without reporting it.
    alter(path('state'), `UPDATE urls SET state = 1, attempts = 1 WHERE url LIKE '%/a'`)
    expect(await run(settings)).toMatchObject({ reason: 'finished' })
    expect(await paths()).toEqual(['/', '/a', '/b', '/c'])
  })
})

describe('a crawl of pages with a new session id in every link', () => {
  const [endless] = SESSION_SITES

  async function serveEndless() {
    if (endless === undefined) throw new Error('no site')
    const page = besideArticles(endless, 1)
    const server = await serve((request, response) => {
      response.setHeader('content-type', 'text/html').end(page(request.url ?? '/'))
    })
    // One request at a time, since the order of the responses decides how soon a URL is suspected.
    const once = { depth: 1_000, ignoreRobots: true, perHost: 1 }
    const settings = { ...once, seeds: [`${server.url}/`] }
    return { settings, pageAt: endless.pageAt, pages: endless.pages }
  }

  async function names() {
    const visits = await visitsIn(path('out.jsonl'))
    return visits.map(({ url }) => new URL(url).pathname).filter((each) => each.startsWith('/app/'))
  }

  it('wastes no more requests if it is stopped repeatedly', async () => {
    const { settings, pageAt, pages } = await serveEndless()
    for (let times = 0; times < 3; times++) await run({ ...settings, maxPages: 10 })
    expect(await run(settings)).toMatchObject({ reason: 'finished' })
    expect(new Set((await names()).map(pageAt)).size).toBe(pages)
    expect((await names()).length).toBeLessThan(100)
  })

  it('visits each page once in a later round', async () => {
    const { settings, pageAt, pages } = await serveEndless()
    await run(settings)
    const before = await names()
    expect(await run({ ...settings, revisitAfter: '0' })).toMatchObject({ reason: 'finished' })
    const again = (await names()).slice(before.length)
    expect(again.map(pageAt).sort()).toEqual([...new Set(before.map(pageAt))].sort())
    expect(again).toHaveLength(pages)
  })
})

/** Adds a URL to the snapshot of the seen set only. */
async function claimInSnapshot(url: string): Promise<void> {
  const directory = StateDirectory.open(path('state'))
  const { ledger } = directory.saved ?? {}
  if (ledger?.snapshot === undefined) throw new Error('no snapshot')
  const file = path('state', ledger.snapshot.file)
  const { expectedUrls, falsePositiveRate, seen: name } = localConfig(resolveConfig({}))
  const key = directory.hashKey
  const memory = allocateSeenSet({ name, expectedUrls, falsePositiveRate, key })
  expect(loadSnapshot(memory, file, ledger.snapshot.checksum)).toBe(true)
  expect(await openSeenSet(memory, 0).addIfNew([url])).toEqual([true])
  const checksum = await writeSnapshot(memory, file)
  directory.commit({ ...ledger, snapshot: { ...ledger.snapshot, checksum } })
  directory.close()
}
