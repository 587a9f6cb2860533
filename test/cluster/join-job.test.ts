import { writeFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { findJob } from '../../src/cluster/join-job.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { silentLogger } from '../../src/logger.ts'
import { callCrawl } from '../support/call-cli.ts'
import { RedisServer } from '../support/redis-server.ts'
import { startServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

const JOB = { frontier: ['redis://127.0.0.1:9'], job: 'a' }
const ALONE = 'expected no --frontier with it, since it works in a single process only'
const BESIDE =
  'expected a second output with --frontier, such as -o visits.jsonl: this one is written only at the end, so a killed process would lose its visits'
const REDIS_SEEN = 'expected one of redis-bloom, redis-set, redis-keys with --frontier'

it.each<[ConfigInput, string]>([
  [{ frontier: JOB.frontier }, '--frontier: expected --job with it, got none'],
  [{ job: 'a' }, '--job: expected --frontier with it, got none'],
  [{ seen: 'redis-set' }, '--seen redis-set: expected --frontier with it, got none'],
  [{ ...JOB, seen: 'exact' }, `--seen: ${REDIS_SEEN}, got \`exact\``],
  [{ ...JOB, state: 'dir' }, `--state: ${ALONE}`],
  [{ ...JOB, deterministic: true }, `--deterministic: ${ALONE}`],
  [{ ...JOB, contentDedup: 'near' }, `--content-dedup: ${ALONE}`],
  [{ ...JOB, perIp: true }, `--per-ip: ${ALONE}`],
  [{ ...JOB, output: 'a.sqlite' }, `--output a.sqlite: ${BESIDE}`],
  [{ ...JOB, output: ['a.dot', 'b.xml.gz'] }, `--output a.dot: ${BESIDE}`],
  [{ ...JOB, format: 'graphml' }, `--format graphml: ${BESIDE}`],
])("settings that a job can't have are refused with a sentence: %j", async (input, message) => {
  await expect(findJob(resolveConfig(input), silentLogger())).rejects.toThrow(message)
})

it('an invalid URL of Redis is not printed, since it may contain a password', () => {
  const input = { frontier: ['redis:/user:secret@host'] }
  expect(() => resolveConfig(input)).toThrow(
    /^frontier\.0: expected a URL such as redis:\/\/host:6379 or rediss:\/\/user:password@host:6380, beginning with redis:\/\/ or rediss:\/\/, and with %2C for a comma in a password$/,
  )
})

it('there is no job without --frontier and --job', async () => {
  expect(await findJob(resolveConfig({}), silentLogger())).toBeUndefined()
})

it("an existing output is refused, with a note that the job won't visit its pages again", async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  await writeFile(path('a.jsonl'), '{}\n')
  const args = ['http://a.test/', '--frontier', redis.url, '--job', 'a', '-o', path('a.jsonl')]
  const { code, stderr } = await callCrawl([...args, '-q'])
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /a\.jsonl: expected a file that doesn't exist yet; each start of a process of a job needs another name, since no page in the file is visited again \(--overwrite replaces it\)\n$/,
  )
})

it('a process joins with the same settings as the others, and is refused with the differences', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const join = async (input: ConfigInput) => {
    const settings = { seeds: ['http://a.test/'], ...JOB, frontier: [redis.url], ...input }
    const job = await findJob(resolveConfig(settings), silentLogger())
    try {
      await job?.join()
    } finally {
      job?.close()
    }
  }
  await join({ maxPerHost: 9 })
  await join({ maxPerHost: 9, timeout: '1s', workers: 1, output: 'a.csv', links: 'a.links' })
  const refused = 'job a: expected the settings that it was created with, but'
  await expect(join({})).rejects.toThrow(
    `${refused} --max-per-host was 9 and is not set now; for another crawl, give --job another name, or crawl job delete a first`,
  )
  await join({ maxPerHost: 9, userAgent: 'orbweaver/9' })
  await expect(join({ maxPerHost: 9, userAgent: 'abot/1' })).rejects.toThrow(
    `${refused} --user-agent was "orbweaver" and is "abot" now`,
  )
  const others: ConfigInput = { external: true, forgetAfter: '1d', adaptive: true, maxPerHost: 9 }
  await expect(join(others)).rejects.toThrow(
    `${refused} --external was not set and is set now, --adaptive was not set and is set now, --forget-after was 7d and is 1d now`,
  )
})

it('a process that cannot start leaves no job, so the corrected command may have other settings', async () => {
  const redis = await RedisServer.start()
  const site = await startServer((_, response) => void response.end('page'))
  onTestFinished(async () => void (await Promise.all([redis.close(), site.close()])))
  const shared = ['--frontier', redis.url, '--job', 'a', '-q']
  const args = [site.url, '--allow-private', ...shared]
  await writeFile(path('old.jsonl'), '{}\n')
  const codes = []
  for (const wrong of [
    ['-o', path('old.jsonl')],
    ['-o', path('none/a.jsonl')],
    ['-o', path('b.jsonl'), '--login', path('none.json')],
    ['-o', path('c.jsonl'), '--cacert', path('none.pem')],
  ]) {
    codes.push((await callCrawl([...args, ...wrong, '--depth', '1'])).code)
  }
  expect(codes).toEqual([2, 5, 2, 2])
  const list = await callCrawl(['job', 'list', '--frontier', redis.url])
  expect(list.stderr).toBe('crawl: there are no jobs on these servers\n')
  const run = await callCrawl([...args, '--depth', '2', '-o', path('d.jsonl')])
  expect([run.code, run.stderr]).toEqual([0, ''])
})

it('a process is refused if another one created its job with other settings while it started', async () => {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.close())
  const find = async (depth: number) => {
    const settings = { seeds: ['http://a.test/'], ...JOB, frontier: [redis.url], depth }
    const job = await findJob(resolveConfig(settings), silentLogger())
    onTestFinished(() => job?.close())
    return job
  }
  const [first, second] = [await find(1), await find(2)]
  await first?.join()
  await expect(second?.join()).rejects.toThrow('--depth was 1 and is 2 now')
})
