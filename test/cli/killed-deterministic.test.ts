import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { runCrawl } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'
import { ask, useFolder, visitsIn } from '../support/state-run.ts'
import { until } from '../support/until.ts'

const path = useFolder()

const kept = () => [
  ...['-q', '--deterministic', '--state', path('state'), '-o', path('out.jsonl')],
  ...['--skipped', path('skipped.jsonl')],
]

/** Kills a crawl as soon as a query on its state returns a row, and then runs it to its end. */
async function killAndResume(site: SiteServer, query: string, ...flags: readonly string[]) {
  const command = [`${site.url}/`, ...kept(), ...flags]
  const isDue = () => {
    try {
      return ask(path('state'), query).length > 0
    } catch {
      return false // no database yet
    }
  }
  await runCrawl(command, {
    onStart: async (child) => {
      await until(() => isDue() || child.exitCode !== null)
      child.kill('SIGKILL')
    },
  })
  expect(await callCrawl(command)).toMatchObject({ code: 0 })
  const visits = await visitsIn(path('out.jsonl'))
  const lines = (await readFile(path('skipped.jsonl'), 'utf8')).split('\n').filter(Boolean)
  return { visits, skips: lines.map((line) => JSON.parse(line)) }
}

/** Returns a function that waits until the crawl was killed and has requested the page once more. */
function whenAskedAgain(site: () => SiteServer, url: string): () => Promise<void> {
  const times = () => site().requests.filter((request) => request.url === url).length
  return () => until(() => times() > 1)
}

it('a deterministic crawl killed before its seed is fetched still reads the sitemaps of robots.txt', async () => {
  const answer = whenAskedAgain(() => site, '/')
  const site: SiteServer = await serveSite({
    '/robots.txt': (_, response) => response.end(`Sitemap: ${site.url}/map.xml`),
    '/map.xml': (_, response) => {
      response.setHeader('content-type', 'text/xml')
      response.end(`<urlset><url><loc>${site.url}/listed</loc></url></urlset>`)
    },
    '/listed': 'x',
    '/': async (_, response) => {
      await answer()
      response.setHeader('content-type', 'text/html')
      response.end('<a href=/linked>x</a>')
    },
    '/linked': 'x',
  })
  const query = 'SELECT 1 FROM robots JOIN urls ON urls.state = 1'
  const { visits } = await killAndResume(site, query, '--sitemaps')
  const paths = visits.map(({ url }) => url.slice(site.url.length))
  expect(paths.toSorted()).toEqual(['/', '/linked', '/listed', '/map.xml'])
})

it('a deterministic crawl that is killed loses no URL that waited for its turn', async () => {
  const answer = whenAskedAgain(() => site, '/slow')
  const site: SiteServer = await serveSite({
    '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /private'),
    '/': '<a href=/slow>x</a><a href=/private/1>y</a><a href=http://none.invalid/>z</a>',
    '/slow': async (_, response) => {
      await answer()
      response.setHeader('content-type', 'text/html')
      response.end('page')
    },
  })
  // The other host has no robots.txt, and its URL waits for its turn.
  const query = "SELECT 1 FROM urls WHERE url = 'http://none.invalid/' AND state <> 0"
  const flags = ['--scope', 'any', '--retries', '0', '--host-patience', '1s']
  const { visits, skips } = await killAndResume(site, query, ...flags)
  expect(visits.map(({ url }) => url)).toEqual([
    `${site.url}/`,
    `${site.url}/slow`,
    'http://none.invalid/',
  ])
  expect(skips).toMatchObject([{ url: `${site.url}/private/1`, reason: 'robots' }])
})

it('a deterministic crawl that is stopped counts each skipped URL once', async () => {
  const links = Array.from({ length: 20 }, (_, page) => `<a href=/private/${page}>x</a>`).join('')
  const site: SiteServer = await serveSite({
    '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /private'),
    '/': `<a href=/slow>x</a>${links}`,
    '/slow': () => {},
  })
  const flags = ['--deterministic', '--log-level', 'info', '--timeout', '2s']
  const command = [`${site.url}/`, ...flags]
  const isAsked = (times: number) =>
    site.requests.filter(({ url }) => url === '/slow').length === times
  const skippedIn = async (run: number, ...more: readonly string[]) => {
    const interruptWhen = until(() => isAsked(run))
    const { stderr } = await callCrawl([...command, ...more], '', { interruptWhen })
    return JSON.parse(stderr.trim().split('\n').at(-1) ?? '').skipped
  }
  expect(await skippedIn(1)).toEqual({ limit: 21 })
  expect(await skippedIn(2, '--skipped', path('skipped.jsonl'))).toEqual({ limit: 21 })
})
