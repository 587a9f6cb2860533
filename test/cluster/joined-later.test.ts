import { expect, it } from 'vitest'
import { showJob } from '../../src/cluster/redis/job-control.ts'
import { startAgent } from '../support/job-agent.ts'
import { connect } from '../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../support/redis-setups.ts'
import { startServer } from '../support/site-server.ts'

const PAGES = ['/1', '/2', '/3', '/4', '/5']

it.each(REDIS_SETUPS.slice(0, 1))(
  "a process that joins later doesn't push links to pages that it took from the queue, on %s",
  async (_, start) => {
    const { url } = await start()
    const site = await startServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(PAGES.map((path) => `<a href="${path}">page</a>`).join(''))
    })
    const job = freshName()
    const settings = { seeds: [`${site.url}/`], frontier: [url], job, allowPrivate: true }
    const first = await startAgent({ ...settings, maxPages: 1 }).ended
    expect(first.visits.map((visit) => visit.url)).toEqual([`${site.url}/`])
    const { visits } = await startAgent(settings).ended
    await site.close()
    expect(visits.map((visit) => visit.url).toSorted()).toEqual(
      PAGES.map((path) => site.url + path),
    )
    const servers = await connect(url)
    const { added } = await showJob(servers, job)
    servers.close()
    // The seed of each process, and the links of the seed.
    expect(added).toBe(2 + PAGES.length)
  },
)
