import { expect, it } from 'vitest'
import type { ConfigInput } from '../../src/config/schema.ts'
import { serveSite } from '../support/crawl-site.ts'
import { startAgent } from '../support/job-agent.ts'
import { freshName, REDIS_SETUPS } from '../support/redis-setups.ts'

const PAGES = 31
/**
 * Number of further renders after a host went to another process. That one takes links for new that only the first
 * process knows.
 */
const SLACK = 4

it.each(REDIS_SETUPS.slice(0, 1))(
  'processes that lease a host in turn render as few pages as one process, on %s',
  async (_, start) => {
    const { url } = await start()
    const names = Array.from({ length: PAGES - 1 }, (_, n) => `/${n}`)
    const links = names.map((name) => `<a href=${name}>x</a>`).join('')
    const page = '<body><script src=/menu.js></script>'
    const site = await serveSite({
      ...Object.fromEntries(names.map((name) => [name, `<h1>${name}</h1>${page}`])),
      '/': links + page,
      '/menu.js': (_request, response) => {
        response.setHeader('content-type', 'text/javascript')
        response.end(`document.body.innerHTML = '<a href=/0>0</a><a href=/>home</a>'`)
      },
    })
    const job: ConfigInput = { seeds: [site.url], frontier: [url], job: freshName() }
    const settings: ConfigInput = { ...job, render: 'auto', allowPrivate: true, ignoreRobots: true }
    const runs = []
    for (const maxPages of [17, 14]) {
      runs.push(await startAgent({ ...settings, maxPages }).ended)
    }
    const visits = runs.flatMap((run) => run.visits)
    expect(new Set(visits.map((visit) => visit.url)).size).toBe(PAGES)
    const rendered = visits.filter((visit) => visit.rendered)
    expect(rendered.length).toBeGreaterThanOrEqual(3)
    expect(rendered.length).toBeLessThanOrEqual(3 + Math.log2(PAGES) + SLACK)
  },
)
