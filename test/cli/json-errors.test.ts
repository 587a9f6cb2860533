import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { runCrawl } from '../support/run-cli.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const JSON_LOG = ['--log-format', 'json']

/** The fields of a log line that tests check. */
interface LogLine {
  readonly level: number
  readonly msg: string
  readonly exitCode?: number
  readonly stack?: string
}

/** Parses each line; throws at one that is not JSON. */
function linesOf(stderr: string): LogLine[] {
  const lines = stderr.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}

/** Node arguments that load a module which throws an unexpected error. */
const THROWING = [
  '--import',
  'data:text/javascript,setTimeout(()=>{throw Error("http://u:secret@a/")},300)',
]

describe('with --log-format json, an error is one line of JSON with the exit code', () => {
  it.each([
    [
      ['--dept', '3'],
      2,
      "unknown option '--dept'; did you mean --depth? (crawl --help shows more)",
    ],
    [['--depth', 'x', '--scope', 'y'], 2, /^--depth: expected .+; --scope: expected .+$/],
    [['-o', '/nowhere/a.jsonl'], 5, /^\/nowhere\/a\.jsonl: /],
    [['--state', '/dev/null/a'], 6, /^\/dev\/null\/a: /],
  ])('%s', async (args, exitCode, msg) => {
    const { code, stderr } = await callCrawl(['http://a.test/', ...args, ...JSON_LOG])
    const text = typeof msg === 'string' ? msg : expect.stringMatching(msg)
    expect(code).toBe(exitCode)
    expect(linesOf(stderr)).toEqual([{ level: 60, time: expect.any(String), exitCode, msg: text }])
  })

  it('at the end of the log, for each seed that failed', async () => {
    // Browsers refuse these ports, so the seeds fail at once.
    const urls = [9, 11].map((port) => `http://127.0.0.1:${port}/`)
    const { code, stderr } = await callCrawl([...urls, ...JSON_LOG])
    expect(code).toBe(3)
    const lines = linesOf(stderr)
    expect(lines.slice(0, -2).filter(({ level }) => level === 60)).toEqual([])
    expect(lines.slice(-2)).toMatchObject(
      urls.map((url) => ({ level: 60, exitCode: 3, msg: expect.stringContaining(url) })),
    )
  })

  it('even if the config file that sets the log format is invalid', async () => {
    await writeFile(path('a.json'), '{"logFormat":"json","depth":"x"}')
    const args = ['http://a.test/', '--config', path('a.json')]
    const [line] = linesOf((await callCrawl(args)).stderr)
    expect(line).toMatchObject({ level: 60, exitCode: 2, msg: expect.stringContaining('depth') })
    const { stderr } = await callCrawl([...args, '--log-format', 'text'])
    expect(stderr).toMatch(/^crawl: .+a\.json: depth: /)
  })

  it('even if it is unexpected; with -v it has a stack for a report', async () => {
    const site = await serveSite({
      '/': (_, response) => void setTimeout(() => response.end(), 999),
    })
    const args = [`${site.url}/`, '-v', ...JSON_LOG]
    const { code, stderr } = await runCrawl(args, { nodeArgs: THROWING })
    const msg = 'unexpected error: http://***@a/'
    const stack = expect.stringContaining('Error: http://***@a/')
    expect(code).toBe(1)
    expect(linesOf(stderr).at(-1)).toMatchObject({ level: 60, exitCode: 1, msg, stack })
  })

  it('and a message that is no error has the level info', async () => {
    const site = await serveSite({ '/': 'page' })
    const args = [`${site.url}/`, '--state', path('state'), ...JSON_LOG]
    await callCrawl([...args, '-q'])
    const lines = linesOf((await callCrawl(args)).stderr)
    expect(lines).toMatchObject([{ level: 30, msg: expect.stringContaining('is finished') }])
    expect(lines[0]).not.toHaveProperty('exitCode')
  })
})

describe('without the option, an error is text', () => {
  it('unless the log was JSON', async () => {
    const args = ['http://127.0.0.1:9/']
    const line = linesOf((await callCrawl(args)).stderr).at(-1)
    expect(line).toMatchObject({ level: 60, exitCode: 3, msg: expect.stringContaining('port') })
    expect((await callCrawl([...args, '-q'])).stderr).toMatch(/^crawl: http:.+\n$/)
  })

  const expectations: [flag: string, stderr: RegExp][] = [
    [
      '-q',
      /^crawl: unexpected error: http:\/\/\*{3}@a\/\. Please report this, with what -v shows\n$/,
    ],
    [
      '-v',
      /(?:^|\n)crawl: unexpected error: http:\/\/\*{3}@a\/\nError: http:\/\/\*{3}@a\/\n {4}at /,
    ],
  ]
  it.each(chosen(expectations, ([flag]) => flag === '-q'))(
    'of one sentence if it is unexpected, and with a stack for -v: %s',
    async (flag, expected) => {
      const site = await serveSite({
        '/': (_, response) => void setTimeout(() => response.end(), 999),
      })
      const args = [`${site.url}/`, flag, '--log-format', 'text']
      const { code, stderr } = await runCrawl(args, { nodeArgs: THROWING })
      expect(code).toBe(1)
      expect(stderr).toMatch(expected)
    },
  )
})
