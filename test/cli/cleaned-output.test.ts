import { writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { JOBS_KEY, jobKey } from '../../src/cluster/redis/keys.ts'
import { JOB_FORMAT, partitionMarks } from '../../src/cluster/redis/partition-marks.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { connect, RedisServer } from '../support/redis-server.ts'
import { alter, useFolder } from '../support/state-run.ts'

const path = useFolder()

/**
 * Control characters: they clear the screen, set the window's title, begin an old CSI, reverse the text and begin a
 * line.
 */
const EVIL = 'evil\u001b[2J\u001b]0;x\u0007\u009b31m\u007f\u202egnp\u2066\u200f\u2028\nfake line'
/** Text without control characters, which a terminal only displays. */
const HARMLESS = /^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]*$/u

/** Runs the command. Returns the lines of both streams, after it has checked that each is harmless. */
async function linesOf(...args: string[]): Promise<string[]> {
  const run = await callCrawl(args)
  const lines = `${run.stdout}${run.stderr}`.split(/\r?\n/)
  for (const line of lines) expect(line).toMatch(HARMLESS)
  return lines.filter((line) => line !== '')
}

describe("control characters from Redis don't reach the terminal", () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start()
    const fields = { format: JOB_FORMAT, state: 'running', created: EVIL, partitions: '1' }
    const servers = await connect(redis.url)
    await redis.ask('HSET', JOBS_KEY, EVIL, servers.ids)
    servers.close()
    await redis.ask('HSET', jobKey(EVIL), ...Object.entries(fields).flat(), 'begun', '1')
    for (const { key, mark } of partitionMarks(EVIL, fields, 1)) {
      await redis.ask('HSET', key, 'mark', mark)
    }
    return () => redis.close()
  })

  it.each([[['list']], [['show', EVIL]]])('shown by crawl job %j', async (words) => {
    const args = ['job', ...words, '--frontier', redis.url]
    const evil = expect.stringMatching(/evil.*gnp.*fake line/)
    expect(await linesOf(...args)).toEqual([expect.stringMatching(/^job /), evil])
    expect(await linesOf(...args, '--json')).toEqual([evil])
  })
})

it.each(['', '--json', '--export queue', '--export visits'])(
  "control characters in a directory of --state don't reach the terminal: crawl state %s",
  async (typed) => {
    const flags = typed.split(' ').filter((flag) => flag !== '')
    const site = await serveSite({ '/': '<a href="/a">x</a><a href="/b">x</a>' })
    const state = ['--state', path('state'), '-o', path('out.jsonl')]
    await callCrawl([`${site.url}/`, '-q', '--max-pages', '1', ...state])
    const evil = EVIL.replaceAll("'", "''")
    alter(path('state'), `UPDATE hosts SET key = '${evil}'; UPDATE urls SET url = url || '${evil}'`)
    await writeFile(path('state', 'seen-9.snapshot\u001b[2J'), '')
    expect((await linesOf('state', path('state'), ...flags)).join()).toContain('evil')
  },
)

it("control characters from servers don't reach the terminal: crawl check, diff, crawl and its formats", async () => {
  const title = `<title>${EVIL.replaceAll('\u2028\n', '')}</title>`
  const site = await serveSite({
    '/': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(`${title}<a href="http://[${EVIL}">x</a><a href="/away">x</a>`)
    },
    '/away': (_, response) =>
      response
        .writeHead(302, {
          location: Buffer.from(`http://[${'\u009b31m\u202e'}`).toString('latin1'),
        })
        .end(),
  })
  const args = ['-q', '-w', '1']
  expect((await linesOf('check', `${site.url}/`, ...args)).join()).toContain('evil')
  await linesOf('check', `${site.url}/`, '-f', 'json', ...args)
  for (const format of ['jsonl', 'csv', 'txt', 'dot', 'graphml', 'sitemap']) {
    const lines = await linesOf(`${site.url}/`, '-f', format, ...args)
    if (format !== 'sitemap' && format !== 'txt') expect(lines.join()).toContain('evil')
  }
  const visit = JSON.stringify({ url: 'http://a.test/', status: 200, title: EVIL })
  await writeFile(path('a.jsonl'), '')
  await writeFile(path('b.jsonl'), `${visit}\n`)
  for (const flags of [[], ['--json']]) {
    expect((await linesOf('diff', path('a.jsonl'), path('b.jsonl'), ...flags)).join()).toContain(
      'evil',
    )
  }
})

it("control characters in arguments don't reach the terminal when a message quotes them", async () => {
  await linesOf(`--${EVIL}`)
  await linesOf('http://a.test/', '--seen', EVIL)
  await linesOf('state', EVIL)
  await linesOf('report', EVIL)
  await linesOf('seen', EVIL, 'has', 'http://a.test/')
  await linesOf('plan', '--urls', EVIL)
})
