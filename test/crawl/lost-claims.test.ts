import { expect, it } from 'vitest'
import { crawl } from '../../src/crawl/crawl.ts'
import { tortureByDeaths } from '../support/death-torture.ts'
import { seededRandom } from '../support/random.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const HOOKS = new URL('../support/dying-worker.ts', import.meta.url).href
const LINKS = ['/1', '/2', '/3', '/4']
const path = useFolder()

const anchors = (hrefs: readonly string[]) =>
  hrefs.map((href) => `<a href="${href}">x</a>`).join('')

/**
 * Starts a site with a page that kills each worker, and a second page at the same depth with the same links that
 * responds on demand.
 */
async function startDeadlySite(links: readonly string[]) {
  const late = Promise.withResolvers<void>()
  const site = await serve(async (request, response) => {
    const { url = '' } = request
    response.setHeader('content-type', 'text/html')
    if (url === '/robots.txt') response.writeHead(404).end()
    else if (url === '/') response.end(anchors(['/dies/0/', '/late']))
    else {
      if (url === '/late') await late.promise
      response.end(['/dies/0/', '/late'].includes(url) ? anchors(links) : '')
    }
  })
  return { site, answerLate: late.resolve }
}

it('URLs claimed by dead workers are fetched when another page links to them later', async () => {
  const { site, answerLate } = await startDeadlySite(LINKS)
  const paths: string[] = []
  for await (const { url, error } of crawl({
    seeds: [`${site.url}/`],
    workers: 2,
    concurrency: 1,
    hooks: HOOKS,
    // The late page may be suspected of the deaths, too, which would keep the other one waiting.
    timeout: '5s',
  })) {
    paths.push(url.slice(site.url.length))
    if (error?.code === 'worker-died') answerLate()
  }
  expect(paths.sort()).toEqual(['/', ...LINKS, '/dies/0/', '/late'])
})

it.each(['strip-query', 'strip-tracking'] as const)(
  'URLs that %s changed are counted, even if their page kills its workers',
  async (rule) => {
    const { site } = await startDeadlySite(['/1?utm_id=1', '/2?utm_id=1'])
    const settings = rule === 'strip-query' ? { stripQuery: true } : { canonicalize: [rule] }
    const seeds = [`${site.url}/dies/0/`]
    const running = crawl({ ...settings, seeds, workers: 1, hooks: HOOKS })
    for await (const _ of running);
    expect((await running.finished).merged).toEqual({ [rule]: 2 })
  },
)

// bench/death-torture.ts is the long version.
it('each URL has one record or one line of --skipped, even if workers die at random steps', async () => {
  const shape = { layers: 3, width: 6, terminations: 2 }
  const own = {
    seen: 'bloom-growing',
    workers: 2,
    concurrency: 1,
    folder: path(),
    random: seededRandom(4),
  } as const
  const { deaths, visits } = await tortureByDeaths({ ...shape, ...own })
  expect(visits).toBe(19)
  expect(deaths).toBeGreaterThan(1)
})
