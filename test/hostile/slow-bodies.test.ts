import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import { callCrawl } from '../support/call-cli.ts'
import { type RawServer, startRawServer } from '../support/raw-server.ts'
import { drip, head, page } from './send.ts'

const KIBIBYTE = 2 ** 10
/** A body larger than those that are always kept in memory. */
const LARGE = 'x'.repeat(300 * KIBIBYTE)
/** More hosts than two workers have connections for, with `PER_HOST` each. */
const HOSTS = 7
const SLOW_PAGES = 6
const PAGES = 12
const PER_HOST = 6
/** Long enough for the pages of other hosts on a busy machine. */
const TIMEOUT_MS = 10_000

const linksTo = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) => `<a href="/${path}/${index}">x</a>`).join('')

/** Starts a site whose pages are large and never end. */
function startAttacker(): Promise<RawServer> {
  const start = `${head('Content-Length: 1000000\r\n')}<a href="/found"></a>${LARGE}`
  return startRawServer((socket, request) => {
    if (request.startsWith('GET / ')) socket.write(page(linksTo('slow', SLOW_PAGES)))
    else if (request.startsWith('GET /found ')) socket.write(page('found'))
    else drip(start, 'x', 100)(socket, '')
  })
}

function startVictim(): Promise<RawServer> {
  return startRawServer((socket, request) => {
    socket.write(page(request.startsWith('GET / ') ? linksTo('page', PAGES) : LARGE))
  })
}

describe('hosts that send large bodies slowly', () => {
  let servers: readonly RawServer[]
  let visits: readonly Visit[]
  let slow: readonly Visit[]
  let victims: readonly Visit[]

  beforeAll(async () => {
    const attackers = await Promise.all(Array.from({ length: HOSTS }, startAttacker))
    const victim = await startVictim()
    servers = [...attackers, victim]
    const limits = ['--timeout', `${TIMEOUT_MS}ms`, '--retries', '0', '--per-host', `${PER_HOST}`]
    const run = await callCrawl([
      ...servers.map(({ url }) => `${url}/`),
      ...['--workers', '2', '--ignore-robots', ...limits],
    ])
    visits = run.visits
    slow = visits.filter(({ url }) => url.includes('/slow/'))
    victims = visits.filter(({ url }) => url.startsWith(`${victim.url}/page/`))
  })

  afterAll(() => Promise.all(servers.map((server) => server.close())))

  it('truncate no pages of other hosts', () => {
    expect(victims).toHaveLength(PAGES)
    for (const visit of victims) {
      expect(visit).toMatchObject({ status: 200, bytes: LARGE.length })
      expect(visit).not.toHaveProperty('error')
    }
  })

  it("don't delay the pages of other hosts", () => {
    const last = visits.findLastIndex((visit) => victims.includes(visit))
    expect(visits.slice(0, last).filter((visit) => slow.includes(visit))).toEqual([])
  })

  it('take no longer than --timeout each', () => {
    expect(slow).toHaveLength(HOSTS * SLOW_PAGES)
    for (const { error, ms } of slow) {
      expect(error?.code).toBe('timeout')
      expect(ms).toBeLessThan(2 * TIMEOUT_MS)
    }
  })

  it('are kept as far as they arrived', () => {
    const found = visits.filter(({ url }) => url.endsWith('/found'))
    expect(found).toHaveLength(HOSTS)
    for (const visit of slow) expect(visit).toMatchObject({ truncated: true, links: 1 })
  })
})
