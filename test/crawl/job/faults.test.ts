import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { generateGraph } from '../../support/generated-graph.ts'
import { startGraph } from '../../support/graph-server.ts'
import { finishAll, startJobProcess } from '../../support/job-run.ts'
import { RedisServer } from '../../support/redis-server.ts'
import { runCrawl } from '../../support/run-cli.ts'
import { type SiteServer, startServer } from '../../support/site-server.ts'
import { useFolder } from '../../support/state-run.ts'

const DEPTH = 3
const LIMITS = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
const path = useFolder()

describe('a job over a Redis with AOF', () => {
  let redis: RedisServer

  beforeAll(async () => {
    redis = await RedisServer.start('--appendonly', 'yes')
  })

  afterAll(() => redis.close())

  it('goes on after a process was killed, and Redis came back, without losing a page', async () => {
    const site = await startGraph(generateGraph({ seed: 5, pages: 160, hosts: 6, errors: 0 }))
    onTestFinished(() => site.close())
    const args = [...site.seeds, ...LIMITS, '--delay', '30ms', '--workers', '1', '--lease', '1s']
    const start = (name: string) =>
      startJobProcess({ folder: path(), name, redis: [redis.url], job: 'faults', args })
    const victim = start('a')
    await until(() => requestsOf(site.servers) > 20)
    victim.child.kill('SIGKILL')
    await victim.ended
    const heir = start('b')
    await until(
      () => /"msg":"(?:Crawl|Thread)/.test(heir.stderr()) || requestsOf(site.servers) > 40,
    )
    await redis.restart(300)
    const found = await finishAll([heir])
    expect(heir.stderr()).toContain('answers again')
    const depths = new Map([...(await victim.visits()), ...found].map((v) => [v.url, v.depth]))
    const expected = [...site.expected({ depth: DEPTH })].map(([url, { depth }]) => [url, depth])
    expect([...depths].toSorted()).toEqual(expected.toSorted())
    expect(new Set(found.map(({ url }) => url)).size).toBe(found.length)
  })

  it('takes no answer from a process that stood still for longer than its lease', async () => {
    const site = await startSlowSite()
    onTestFinished(() => site.close())
    const args = [site.url, '--depth', '1', '--workers', '1', '--lease', '1s', '-q']
    const start = (name: string) =>
      startJobProcess({ folder: path(), name, redis: [redis.url], job: 'fencing', args })
    const paused = start('a')
    onTestFinished(() => void paused.child.kill('SIGKILL'))
    // In flight there, and answered only after another process took its host over.
    await until(() => site.requests.some(({ url }) => url === '/slow'))
    // What was answered before is told of by then.
    await sleep(500)
    paused.child.kill('SIGSTOP')
    const heir = start('b')
    const visits = await finishAll([heir])
    paused.child.kill('SIGCONT')
    expect(await paused.ended).toBe(0)
    const records = [...(await paused.visits()), ...visits].map(({ url }) =>
      url.slice(site.url.length),
    )
    expect(records.toSorted()).toEqual(['/', '/quick', '/slow'])
    expect(visits.find(({ url }) => url.endsWith('/slow'))?.attempts).toBe(2)
  })
})

describe('a Redis', () => {
  it('that is not there, or refuses, ends the crawl with 7, without telling the password', async () => {
    const redis = await RedisServer.start('--requirepass', 'right')
    onTestFinished(() => redis.close())
    const crawl = (url: string) =>
      runCrawl(['http://127.0.0.1:9/', '--frontier', url, '--job', 'a'])
    const [wrong, none] = await Promise.all([
      crawl(redis.url.replace('://', '://:secret@')),
      crawl('redis://user:secret@127.0.0.1:9'),
    ])
    expect([wrong.code, none.code]).toEqual([7, 7])
    expect(wrong.stderr).toMatch(
      /^crawl: Redis at 127\.0\.0\.1:\d+ refuses user and password of its URL\n$/,
    )
    expect(none.stderr).toMatch(
      /^crawl: Redis at 127\.0\.0\.1:9 can't be reached \(.*ECONNREFUSED.*\)\n$/,
    )
    expect(wrong.stderr + none.stderr).not.toContain('secret')
  })
})

function requestsOf(servers: readonly SiteServer[]): number {
  return servers.reduce((sum, { requests }) => sum + requests.length, 0)
}

/** A page with two links, one of which is answered to the second who asks. */
function startSlowSite(): Promise<SiteServer> {
  let asked = 0
  return startServer(async ({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    if (url === '/slow' && asked++ === 0) await sleep(2_500)
    response.end(url === '/' ? '<a href=/quick>q</a><a href=/slow>s</a>' : 'page')
  })
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5)
}
