import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../../../src/logger.ts'
import { Servers } from '../../../src/redis/servers.ts'
import { makeAuthority } from '../../support/authority.ts'
import { addUser, RIGHTS } from '../../support/redis-rights.ts'
import { connect, freePort, RedisServer, redisFolder } from '../../support/redis-server.ts'
import { runCrawl } from '../../support/run-cli.ts'
import { startServer } from '../../support/site-server.ts'

let redis: RedisServer
let authority: Awaited<ReturnType<typeof makeAuthority>>
/** Where the server speaks TLS. */
let port = 0

beforeAll(async () => {
  redis = await RedisServer.start('--appendonly', 'yes')
  authority = await makeAuthority(await redisFolder())
  port = await freePort()
  const { ca, cert, key } = authority
  const files = ['tls-ca-cert-file', ca, 'tls-cert-file', cert, 'tls-key-file', key]
  await tls(...files, 'tls-auth-clients', 'no', 'tls-port', `${port}`)
})

afterAll(() => redis.close())

const tls = (...settings: string[]) => redis.ask('CONFIG', 'SET', ...settings)
/** The same server, by TLS. */
const overTls = (url: string) => url.replace('redis:', 'rediss:').replace(/:\d+$/, `:${port}`)

async function crawl(frontier: string, job: string) {
  const site = await startServer((_, response) => void response.end('page'))
  onTestFinished(() => site.close())
  const args = [site.url, '--allow-private', '--frontier', frontier, '--job', job, '-q']
  const env = { NODE_EXTRA_CA_CERTS: authority.ca }
  const run = await runCrawl(args, { env })
  expect(run.stderr).not.toContain('password')
  return run
}

it('a user with few rights crawls over TLS, with a private authority', async () => {
  const run = await crawl(overTls(await addUser(redis.url, 'few', RIGHTS)), 'tls')
  expect([run.code, run.stderr]).toEqual([0, ''])
  expect(run.visits).toHaveLength(1)
})

it('a right that is missing ends the crawl with 7 and a sentence', async () => {
  const run = await crawl(await addUser(redis.url, 'less', [...RIGHTS, '-lpop', '-sadd']), 'less')
  expect(run.code).toBe(7)
  expect(run.stderr).toMatch(
    /^crawl: Redis at 127\.0\.0\.1:\d+ gives this user too few rights: expected \+sadd \+lpop\n$/,
  )
})

it('a server that is not there ends the crawl with 7', async () => {
  const run = await crawl('redis://user:password@127.0.0.1:9', 'none')
  expect(run.code).toBe(7)
  expect(run.stderr).toMatch(
    /^crawl: Redis at 127\.0\.0\.1:9 can't be reached \(.*ECONNREFUSED.*\)\n$/,
  )
})

it('says what is wrong with a password, and never tells it', async () => {
  await redis.ask('ACL', 'SETUSER', 'default', '>right')
  onTestFinished(
    async () => void (await redis.ask('-a', 'right', 'ACL', 'SETUSER', 'default', 'nopass')),
  )
  const label = `Redis at 127.0.0.1:${redis.port}`
  const by = (user: string) => connect(redis.url.replace('://', `://${user}`))
  await expect(by('')).rejects.toThrow(`${label} asks for user and password: expected another URL`)
  await expect(by(':secret@')).rejects.toThrow(`${label} refuses user and password of its URL`)
  await expect(by('who:secret@')).rejects.toThrow(/^(?!.*secret).*refuses user and password/)
})

it('waits when the password is another one by and by, until it is set back', async () => {
  const stream = new PassThrough()
  const logger = await createLogger({ level: 'info', stream, pretty: false })
  const servers = await Servers.open([await addUser(redis.url, 'late', RIGHTS)], logger)
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

it('says what is wrong with TLS', async () => {
  const byTls = redis.url.replace('redis:', 'rediss:')
  const urls = [overTls(redis.url), `redis://127.0.0.1:${port}`, byTls]
  const [unknown, ...mute] = await Promise.all(urls.map((url) => connect(url).catch(String)))
  expect(unknown).toContain(
    `Redis at 127.0.0.1:${port} has a certificate that is not trusted (self-signed certificate in certificate chain)`,
  )
  const other =
    'expected rediss:// if it speaks TLS (with tls-auth-clients no), and redis:// if not'
  expect(mute).toEqual([expect.stringContaining(other), expect.stringContaining(other)])
})
