import { cp, rename, writeFile } from 'node:fs/promises'
import { createServer, isIP } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { namesIn } from '../support/names-in.ts'
import { RedisServer } from '../support/redis-server.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serveRaw } from '../support/serve.ts'
import { alter, useFolder } from '../support/state-run.ts'

const path = useFolder()
/** An address with a public prefix that belongs to nobody: the 6bone returned it (RFC 3701). No packet arrives. */
const NOBODY = '3ffe::1'

/** Starts a server on loopback that no crawl may reach. */
async function privateServer() {
  const server = await serveRaw((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'),
  )
  return server
}

const nameIs = (address: string) =>
  writeFile(path('names.json'), JSON.stringify({ 'seed.test': address }))

describe('a seed that was public stays refused after its name turns private', () => {
  /** Continues a crawl whose seed's name now resolves to loopback. Returns the error codes of its visits. */
  async function goOn(...args: readonly string[]) {
    const inside = await privateServer()
    const how = ['-w', '1', '-q', '--ignore-robots', '--connect-timeout', '300ms', ...args]
    const run = (...flags: readonly string[]) =>
      runCrawl([`http://seed.test:${inside.port}/`, ...how, ...flags], names)
    const names = namesIn(path('names.json'))
    await nameIs(NOBODY)
    const { stderr } = await run('--retries', '9', '--max-time', '1500ms')
    expect(stderr).toMatch(/^(?:crawl: \S+: no response before --max-time ended the crawl\n)?$/)
    await nameIs('127.0.0.1')
    const { visits } = await run('--retries', '0')
    expect(inside.connections).toBe(0)
    return visits.map(({ error }) => error?.code)
  }

  it('when the crawl is resumed', async () => {
    const codes = await goOn('--state', path('state'))
    expect(codes).toEqual(['private-address'])
  })

  it('when a process joins the job', async () => {
    const redis = await RedisServer.start()
    onTestFinished(() => redis.close())
    const codes = await goOn('--frontier', redis.url, '--job', 'j')
    expect(codes).toEqual(['private-address'])
  })
})

describe('a private seed that the user did not give', () => {
  const how = ['-w', '1', '-q', '--retries', '0', '--revisit-after', '0s']

  /** Names that the user did not give are resolved by DNS only, which these tests don't have. */
  const NOT_FOUND = { code: 'dns-failure' }

  /** Creates the state of a crawl of a private seed, and a copy of it that appears to come from elsewhere. */
  async function keptCrawl(host: string) {
    const inside = await privateServer()
    const seed = `http://${host}:${inside.port}/`
    await nameIs('127.0.0.1')
    const names = namesIn(path('names.json'))
    const isLiteral = isIP(host) !== 0
    const crawl = (...args: readonly string[]) =>
      isLiteral ? callCrawl([...args, ...how]) : runCrawl([...args, ...how], names)
    await crawl(seed, '--ignore-robots', '--state', path('state'))
    await cp(path('state'), path('copy'), { recursive: true })
    const before = inside.connections
    return { inside, before, seed, crawl }
  }

  it('in a config file that was found is not requested if its name resolves to a private address', async () => {
    const inside = await privateServer()
    await nameIs('127.0.0.1')
    const settings = {
      seeds: [`http://seed.test:${inside.port}/`],
      state: 'kept',
      ignoreRobots: true,
    }
    await writeFile(path('crawler.config.json'), JSON.stringify(settings))
    const options = { ...namesIn(path('names.json')), cwd: path() }
    const { code, visits } = await runCrawl(how, options)
    expect([code, visits]).toMatchObject([3, [{ error: NOT_FOUND }]])
    const later = await runCrawl([...how, '--state', 'kept'], options)
    expect(later.visits).toMatchObject([{ error: NOT_FOUND }])
    expect(inside.connections).toBe(0)
  })

  it('is refused in a copied directory of --state, and accepted in the original', async () => {
    const { inside, before, seed, crawl } = await keptCrawl('127.0.0.1')
    const refusal = `crawl: ${path('copy')}: seeds: the private address 127.0.0.1 is not taken from a directory of --state: give the seed again\n`
    for (const _ of [1, 2]) {
      const run = await crawl('--state', path('copy'))
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: refusal })
    }
    expect(inside.connections).toBe(before)
    const own = await crawl(seed, '--ignore-robots', '--state', path('copy'))
    expect(own.visits).toMatchObject([{ status: 200 }])
    await rename(path('copy'), path('moved'))
    for (const state of ['moved', 'state']) {
      const { visits } = await crawl('--state', path(state))
      expect(visits).toMatchObject([{ status: 200 }])
    }
  })

  it('is not requested if a copied directory claims that its name was private from the start', async () => {
    const { inside, before, crawl } = await keptCrawl('seed.test')
    const host = `'seed.test:${inside.port}'`
    alter(path('copy'), `INSERT OR REPLACE INTO seed_hosts VALUES (${host}, 1)`)
    const { visits } = await crawl('--state', path('copy'), '--host-patience', '0')
    expect(visits.flatMap(({ status }) => status ?? [])).toEqual([])
    expect(inside.connections).toBe(before)
  })
})

describe('behind a proxy', () => {
  const LITERALS = [
    ...['http://10.0.0.5/', 'http://[::1]/', 'http://[::ffff:a00:5]/', 'http://0x7f.1:8080/'],
    ...['https://169.254.169.254/', 'http://localhost/', 'http://a.localhost./', 'http://127.1/'],
  ]

  async function crawlAll(...flags: readonly string[]) {
    const proxy = await startHttpProxy()
    onTestFinished(() => proxy.close())
    const links = LITERALS.map((url) => `<a href="${url}">x</a>`).join('')
    const site = await serveRaw((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n'
      socket.end(`${head}Content-Length: ${links.length}\r\n\r\n${links}`)
    })
    const how = ['--scope', 'any', '--ignore-robots', '--retries', '0', '-q', '-d', '1']
    const seed = `http://seed.test:${site.port}/`
    const { visits } = await callCrawl([seed, ...how, '--proxy', proxy.url, ...flags])
    return { requested: proxy.requests, errors: visits.slice(1).map(({ error }) => error?.code) }
  }

  it('no literal private address is requested', async () => {
    const { requested, errors } = await crawlAll()
    expect(errors).toEqual(LITERALS.map(() => 'private-address'))
    expect(requested).toHaveLength(1)
  })

  it('private addresses are requested with --allow-private', async () => {
    expect((await crawlAll('--allow-private')).requested).toHaveLength(LITERALS.length + 1)
  })

  it('a private seed is requested', async () => {
    const proxy = await startHttpProxy()
    onTestFinished(() => proxy.close())
    const inside = await privateServer()
    const args = [`http://127.0.0.1:${inside.port}/`, '-q', '--proxy', proxy.url]
    expect((await callCrawl(args)).visits).toMatchObject([{ status: 200 }])
  })
})

describe('a port that browsers refuse', () => {
  it('is not connected to, and the record reports bad-port', async () => {
    const server = createServer()
    const connections: unknown[] = []
    server.on('connection', (socket) => connections.push(socket.destroy()))
    await new Promise<void>((resolve) => server.listen(6667, '127.8.8.8', resolve))
    onTestFinished(() => void server.close())
    const { visits, code } = await callCrawl(['http://127.8.8.8:6667/', '-q', '--allow-private'])
    expect(visits).toMatchObject([{ url: 'http://127.8.8.8:6667/', error: { code: 'bad-port' } }])
    expect(code).toBe(3)
    expect(connections).toHaveLength(0)
  })
})
