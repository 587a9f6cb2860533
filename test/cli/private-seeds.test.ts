import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHttpProxy } from '../support/http-proxy.ts'
import { namesIn } from '../support/names-in.ts'
import { startRawServer } from '../support/raw-server.ts'
import { RedisServer } from '../support/redis-server.ts'
import { runCrawl } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
/** Public by its prefix, but nobody's: the 6bone gave it back (RFC 3701). Nothing gets anywhere. */
const NOBODY = '3ffe::1'

/** A server on loopback that nobody is to reach. */
async function privateServer() {
  const server = await startRawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret'),
  )
  onTestFinished(() => server.close())
  return server
}

const nameIs = (address: string) =>
  writeFile(path('names.json'), JSON.stringify({ 'seed.test': address }))

describe('a seed that was public opens nothing after its name turned private', () => {
  /** What a crawl that goes on is told by a server on loopback, where the name leads to by then. */
  async function goOn(...args: readonly string[]) {
    const inside = await privateServer()
    const how = ['-w', '1', '-q', '--ignore-robots', '--connect-timeout', '300ms', ...args]
    const run = (...flags: readonly string[]) =>
      runCrawl([`http://seed.test:${inside.port}/`, ...how, ...flags], names)
    const names = namesIn(path('names.json'))
    await nameIs(NOBODY)
    expect((await run('--retries', '9', '--max-time', '1500ms')).stderr).toBe('')
    await nameIs('127.0.0.1')
    const { visits } = await run('--retries', '0')
    expect(inside.connections).toBe(0)
    return visits.map(({ error }) => error?.code)
  }

  it('when the crawl is resumed', async () => {
    const codes = await goOn('--state', path('state'))
    expect(codes).toEqual(['private-address'])
  })

  it('to a process that joins the job', async () => {
    const redis = await RedisServer.start()
    onTestFinished(() => redis.close())
    const codes = await goOn('--frontier', redis.url, '--job', 'j')
    expect(codes).toEqual(['private-address'])
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
    const site = await startRawServer((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n'
      socket.end(`${head}Content-Length: ${links.length}\r\n\r\n${links}`)
    })
    onTestFinished(() => site.close())
    const how = ['--scope', 'any', '--ignore-robots', '--retries', '0', '-q', '-d', '1']
    const seed = `http://seed.test:${site.port}/`
    const { visits } = await runCrawl([seed, ...how, '--proxy', proxy.url, ...flags])
    return { asked: proxy.asked, errors: visits.slice(1).map(({ error }) => error?.code) }
  }

  it('no address that is private by its name is requested', async () => {
    const { asked, errors } = await crawlAll()
    expect(errors).toEqual(LITERALS.map(() => 'private-address'))
    expect(asked).toHaveLength(1)
  })

  it('all are with --allow-private', async () => {
    expect((await crawlAll('--allow-private')).asked).toHaveLength(LITERALS.length + 1)
  })

  it('a seed that is private itself is requested', async () => {
    const proxy = await startHttpProxy()
    onTestFinished(() => proxy.close())
    const inside = await privateServer()
    const args = [`http://127.0.0.1:${inside.port}/`, '-q', '--proxy', proxy.url]
    expect((await runCrawl(args)).visits).toMatchObject([{ status: 200 }])
  })
})

describe('a port that browsers refuse', () => {
  it('is not connected to, and the record says so', async () => {
    const server = createServer()
    const connections: unknown[] = []
    server.on('connection', (socket) => connections.push(socket.destroy()))
    await new Promise<void>((resolve) => server.listen(6667, '127.8.8.8', resolve))
    onTestFinished(() => void server.close())
    const { visits, code } = await runCrawl(['http://127.8.8.8:6667/', '-q', '--allow-private'])
    expect(visits).toMatchObject([{ url: 'http://127.8.8.8:6667/', error: { code: 'bad-port' } }])
    expect(code).toBe(3)
    expect(connections).toHaveLength(0)
  })
})
