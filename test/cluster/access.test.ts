import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Servers } from '../../src/cluster/redis/servers.ts'
import { createLogger } from '../../src/logger.ts'
import { type Authority, makeAuthority } from '../support/authority.ts'
import { callCrawl } from '../support/call-cli.ts'
import { freePort } from '../support/listen.ts'
import { RedisCluster } from '../support/redis-cluster.ts'
import { addUser, RIGHTS } from '../support/redis-rights.ts'
import { connect, RedisServer, redisFolder } from '../support/redis-server.ts'
import { freshName, REDIS_SETUPS, type Redis } from '../support/redis-setups.ts'
import { runCrawl } from '../support/run-cli.ts'
import { startServer } from '../support/site-server.ts'

/**
 * Runs a crawl of a job.
 * @param ca file of an authority that Node reads when a process starts
 */
async function crawl(frontier: string, ca?: string) {
  const site = await startServer((_, response) => void response.end('page'))
  const args = [site.url, '--allow-private', '--frontier', frontier, '--job', freshName(), '-q']
  const env = { NODE_EXTRA_CA_CERTS: ca ?? '' }
  const run = await (ca === undefined ? callCrawl(args) : runCrawl(args, { env }))
  await site.close()
  expect(run.stderr).not.toContain('password')
  return run
}

describe.each(REDIS_SETUPS)('%s', (_, start) => {
  let redis: Redis
  let label: string

  beforeAll(async () => {
    redis = await start()
    label = `Redis at ${new URL(redis.url).host}`
  })

  it('a missing right ends the crawl with 7 and a sentence that lists the rights', async () => {
    const run = await crawl(await addUser(redis, 'less', [...RIGHTS, '-lpop', '-sadd']))
    expect(run).toMatchObject({
      code: 7,
      stderr: `crawl: ${label} grants this user too few rights: add +sadd +lpop\n`,
    })
  })

  it('a user without rights to the keys of jobs is told which to add', async () => {
    const run = await crawl(await addUser(redis, 'elsewhere', [...RIGHTS, 'resetkeys', '~other:*']))
    const stderr = `crawl: ${label} grants this user too few keys: add ~ow:*\n`
    expect(run).toMatchObject({ code: 7, stderr })
  })

  it('a missing or wrong password is reported, and never printed', async () => {
    await redis.ask('ACL', 'SETUSER', 'default', '>right')
    onTestFinished(
      async () => void (await redis.ask('-a', 'right', 'ACL', 'SETUSER', 'default', 'nopass')),
    )
    const by = (user: string) => connect(redis.url.replace('://', `://${user}`))
    const missing = `${label} requires a user and password: add them to its URL`
    await expect(by('')).rejects.toThrow(missing)
    await expect(by(':secret@')).rejects.toThrow(`${label} refuses user and password of its URL`)
    await expect(by('who:secret@')).rejects.toThrow(/^(?!.*secret).*refuses user and password/)
  })

  it('a password that is changed during a crawl is reported, and the crawl waits until it is set back', async () => {
    const stream = new PassThrough()
    const logger = await createLogger({ level: 'info', stream, pretty: false })
    const servers = await Servers.open([await addUser(redis, 'late', RIGHTS)], logger)
    onTestFinished(() => servers.close())
    await redis.ask('ACL', 'SETUSER', 'late', 'resetpass', '>other')
    await redis.ask('CLIENT', 'KILL', 'USER', 'late')
    const answer = servers.of('a').command('ow:a', 'GET', 'ow:a')
    let log = ''
    while (!log.includes('refuses user and password')) {
      log += stream.read() ?? ''
      await sleep(5)
    }
    await redis.ask('ACL', 'SETUSER', 'late', '>password')
    expect(await answer).toBeNull()
  })
})

// The following tests mostly wait.
it.concurrent('an unreachable server ends the crawl with 7', async () => {
  const run = await crawl('redis://user:password@127.0.0.1:9')
  expect(run.code).toBe(7)
  expect(run.stderr).toMatch(
    /^crawl: Redis at 127\.0\.0\.1:9 can't be reached \(.*ECONNREFUSED.*\)\n$/,
  )
})

describe.concurrent('over TLS, with a private authority,', () => {
  const few = ['--user', 'few', ...RIGHTS.filter((right) => right !== 'reset')]
  let authority: Authority
  let server: RedisServer
  let cluster: RedisCluster
  /** Port on which the server speaks TLS. */
  let port = 0

  beforeAll(async () => {
    authority = await makeAuthority(await redisFolder())
    const { ca, cert, key } = authority
    const files = ['--tls-ca-cert-file', ca, '--tls-cert-file', cert, '--tls-key-file', key]
    const common = [...files, '--tls-auth-clients', 'no', ...few, '--appendonly', 'yes']
    port = await freePort()
    ;[server, cluster] = await Promise.all([
      RedisServer.start('--tls-port', `${port}`, ...common),
      RedisCluster.overTls(...common),
    ])
  })

  afterAll(() => Promise.all([server.close(), cluster.close()]))

  it('a user with the documented rights can crawl', async () => {
    // A user of a cluster needs all rights that one of a single server needs, and more.
    const { port } = new URL(cluster.url)
    const run = await crawl(`rediss://few:password@127.0.0.1:${port}`, authority.ca)
    expect([run.code, run.stderr]).toEqual([0, ''])
    expect(run.visits).toHaveLength(1)
  })

  // The first connection fails here, before the crawl knows whether it is a cluster.
  it('an untrusted certificate or a wrong scheme is reported', async () => {
    const byTls = server.url.replace('redis:', 'rediss:')
    const urls = [`rediss://127.0.0.1:${port}`, `redis://127.0.0.1:${port}`, byTls]
    const [unknown, ...mute] = await Promise.all(urls.map((url) => connect(url).catch(String)))
    expect(unknown).toContain(
      `Redis at 127.0.0.1:${port} has a certificate that is not trusted (self-signed certificate in certificate chain)`,
    )
    const other =
      'expected rediss:// if it speaks TLS (with tls-auth-clients no), and redis:// if not'
    expect(mute).toEqual([expect.stringContaining(other), expect.stringContaining(other)])
  })
})
