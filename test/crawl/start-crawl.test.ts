import { expect, it } from 'vitest'
import { startAgent } from '../support/job-agent.ts'
import { freshName, REDIS_SETUPS } from '../support/redis-setups.ts'
import { startServer } from '../support/site-server.ts'

it.each(REDIS_SETUPS.slice(0, 1))(
  'a process of a job whose own seed fails counts the seeds of other processes as fetched, on %s',
  async (_, start) => {
    const { url } = await start()
    const site = await startServer((request, response) => {
      if (request.url === '/dead') return void request.socket.destroy()
      response.setHeader('content-type', 'text/html')
      response.end('<a href="/1">1</a><a href="/2">2</a>')
    })
    const settings = {
      seeds: [`${site.url}/`, `${site.url}/dead`],
      ...{ frontier: [url], job: freshName(), allowPrivate: true, retries: 0, hostPatience: '0' },
    }
    await startAgent({ ...settings, perHost: 1, maxPages: 1 }).ended
    const { visits, summary } = await startAgent({ ...settings, perHost: 1 }).ended
    await site.close()
    expect(visits.map((visit) => visit.url)).toEqual(
      ['/dead', '/1', '/2'].map((path) => site.url + path),
    )
    expect(summary.seedFailures).toHaveLength(1)
    expect(summary.seedsAnswered).toBe(1)
  },
)

it.each(REDIS_SETUPS.slice(0, 1))(
  'a process of a job counts no seed as fetched if all failed, on %s',
  async (_, start) => {
    const { url } = await start()
    const site = await startServer((request) => void request.socket.destroy())
    const { summary } = await startAgent({
      seeds: [`${site.url}/`, `${site.url}/dead`],
      ...{ frontier: [url], job: freshName(), allowPrivate: true, retries: 0, hostPatience: '0' },
    }).ended
    await site.close()
    expect(summary.seedsAnswered).toBe(0)
  },
)
