import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { CANONICAL_RULES } from '../../src/url/canonical-rules.ts'
import { callCrawl } from '../support/call-cli.ts'
import { BIN } from '../support/run-cli.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'
import { refused } from './refused.ts'

const path = useFolder()

const FLAGS = [
  '-d, --depth <n>',
  '-o, --output <file>',
  '-f, --format <name>',
  '--print <template>',
  '-w, --workers <n>',
  '-c, --concurrency <n>',
  '--per-host <n>',
  '--delay <duration>',
  '--scope <name>',
  '--include <regex>',
  '--exclude <regex>',
  '--assets',
  '--sitemaps',
  '--canonicalize <rules>',
  '--max-pages <n>',
  '--max-time <duration>',
  '--max-body <size>',
  '--timeout <duration>',
  '--connect-timeout <duration>',
  '--min-rate <size>',
  '--min-rate-time <duration>',
  '--retries <n>',
  '--max-redirects <n>',
  '--ignore-robots',
  '--user-agent <text>',
  '-H, --header <name: value>',
  '--insecure',
  '--cookies [file]',
  '--proxy <url>',
  '--allow-private',
  '--seen <name>',
  '--expected-urls <n>',
  '--false-positive-rate <p>',
  '--digest <name>',
  '--forget-after <duration>',
  '--config <file>',
  '--log-level <name>',
  '--log-interval <duration>',
  '--no-progress',
  '--seeds <file>',
  '--skipped <file>',
  '--overwrite',
  '-q, --quiet',
  '-v, --verbose',
  '-V, --version',
  '-h, --help',
]

describe('crawl', () => {
  it('prints all documented flags on stdout with --help', async () => {
    const run = await callCrawl(['--help'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    for (const flag of FLAGS) expect(run.stdout).toContain(` ${flag} `)
  })

  it('prints its version on stdout with --version', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
    const { version }: { version: string } = JSON.parse(manifest)
    const run = await callCrawl(['--version'])
    expect(run).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each(chosen([['--help'], ['--version'], ['check', '--help']], (args) => args.length > 1))(
    'reports that stdout is full, with %s',
    async (...args) => {
      const command = ['-c', 'exec "$@" >/dev/full', 'sh', process.execPath, BIN, ...args]
      const child = spawn('/bin/sh', command)
      const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
      expect([code, stderr]).toEqual([5, expect.stringMatching(/^crawl: stdout: .*ENOSPC.*\n$/)])
    },
  )

  it('applies options before a command to the command', async () => {
    const visits = path('visits.jsonl')
    const report = path('report.html')
    await writeFile(visits, '{"url":"http://a.test/","status":200}\n')
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' })
    expect(run('-o', report, 'report', visits)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(await readFile(report, 'utf8')).toContain('<html')
    const joined = run('-qd', 'x', 'check', 'http://127.0.0.1/')
    expect(joined.stderr).toMatch(/^crawl: --depth: expected a whole number .+, got `x`\n$/)
    const { stderr } = run('--depth', '3', 'report', visits)
    expect(stderr).toMatch(
      /^crawl: unknown option '--depth'; it belongs to crawl, not to crawl report/,
    )
  })

  it('requires a seed', async () => {
    expect(await refused([])).toEqual([
      'crawl: expected at least one seed URL, got none; crawl --help shows more',
    ])
  })

  it.each(['--no-such-flag', '--stat'])('refuses %s', async (flag) => {
    const [line] = await refused([flag, 'x', 'http://127.0.0.1/'])
    expect(line).toMatch(
      new RegExp(`^crawl: unknown option '${flag}'.* \\(crawl --help shows more\\)$`),
    )
  })

  it.each([
    ['chek', 'check'],
    ['repot', 'report'],
    ['hlep', 'help'],
  ])('takes %s for a misspelled command, not for a host', async (word, meant) => {
    expect(await refused([word, 'http://127.0.0.1/'])).toEqual([
      `crawl: ${word}: did you mean ${meant}? A host of that name is http://${word}/ (crawl --help shows more)`,
    ])
  })

  it.each([
    ['mirror', 'no such command: --save-bodies <dir> mirrors a site. '],
    ['frobnicate', 'no such command. '],
    ['reports', 'did you mean report? '],
  ])("doesn't look up the lone word %s as a host", async (word, advice) => {
    expect(await refused([word, 'https://127.0.0.1:9/'])).toEqual([
      `crawl: ${word}: ${advice}A host of that name is http://${word}/ (crawl --help shows more)`,
    ])
  })

  it.each([[['http://127.0.0.1:9/', 'intranet']], [['intranet?a']]])(
    'asks for the scheme of a host without a dot: %j',
    async (args) => {
      const seed = args.at(-1)
      expect(await refused(args)).toEqual([
        `crawl: seed: expected an http or https URL (to crawl a host with this name, add a scheme: http://intranet/), got \`${seed}\``,
      ])
    },
  )

  it("points to a command's own help", async () => {
    expect(await refused(['diff', 'a.jsonl'])).toEqual([
      "crawl: missing required argument 'after'; usage: crawl diff [options] <before> <after> (crawl diff --help shows more)",
    ])
  })

  it('refuses -f tsv', async () => {
    expect(await refused(['-f', 'tsv', 'http://127.0.0.1/'])).toEqual([
      'crawl: --format: expected one of jsonl, csv, txt, line, md, sitemap, dot, graphml, sqlite, warc, wacz (did you mean csv?), got `tsv`',
    ])
  })

  it('reports all invalid flags and seeds at once', async () => {
    const args = ['-d', '-1', '-w', '0', '-c', 'x', '--per-host', '1.5', '--delay', '5']
    const more = ['--scope', 'all', '--include', '(', '--exclude', '[', '--max-pages', '0']
    const rest = ['--max-time', '1', '--max-body', '10', '--timeout', 's', '--retries', '1e9']
    const last = ['--user-agent', '1', '-H', 'a b: c', '--seen', 'set', '--expected-urls', '1.2.3']
    const end = ['--false-positive-rate', '1', '--log-level', 'all', '--log-interval', '1ms']
    const proxies = ['--proxy', 'ftp://x', '--connect-timeout', '0', '--max-redirects', '1e4']
    const rates = ['--min-rate', '0', '--min-rate-time', '5']
    const rules = ['--canonicalize', 'sort-query, sort', '--digest', 'md4', '--forget-after', '1']
    const seeds = ['ftp://x', 'mailto:a@b', 'http://', 'http://127.0.0.1/']
    const lines = await refused([
      ...args,
      ...more,
      ...rest,
      ...last,
      ...rates,
      ...end,
      ...proxies,
      ...rules,
      ...seeds,
    ])
    expect(
      lines.map((line) => /^crawl: (?:seed|--[\w-]+): expected .+, got `(.*)`$/.exec(line)?.[1]),
    ).toEqual(expect.arrayContaining(['-1', '0', 'x', '1.5', '5', 'all', '(', '[', '1', '10', 's']))
    expect(lines).toHaveLength(31)
    expect(lines).toContain('crawl: seed: expected an http or https URL, got `mailto:a@b`')
    expect(lines).toContain(
      `crawl: --canonicalize: expected one of ${CANONICAL_RULES.join(', ')} (did you mean sort-query?), got \`sort\``,
    )
    expect(lines).toContain(
      'crawl: --expected-urls: expected a whole number of at least 1, got `1.2.3`',
    )
  })

  it('refuses to write JUnit XML to stdout, where the report goes', async () => {
    const stderr = 'crawl: --junit: expected a separate file, got stdout\n'
    const run = await callCrawl(['check', 'http://127.0.0.1/', '--junit', '-'])
    expect(run).toMatchObject({ code: 2, stderr })
  })

  it.each([
    ['--state', ['http://127.0.0.1/', '--state', '']],
    ['--config', ['http://127.0.0.1/', '--config', '']],
    ['--extract-file', ['http://127.0.0.1/', '--extract-file', '']],
    ['--junit', ['check', 'http://127.0.0.1/', '--junit', '']],
    ['<dir>', ['state', '']],
    ['<dir>', ['seen', '', 'has', 'http://127.0.0.1/']],
    ['<after>', ['diff', 'a.jsonl', '']],
    ['<visits>', ['report', '']],
    ['--output', ['report', 'a.jsonl', '-o', '']],
  ])('names %s if the file name is empty: %j', async (label, args) => {
    const run = await callCrawl(args)
    expect(run).toMatchObject({
      code: 2,
      stderr: `crawl: ${label}: expected a file name, got \`\`\n`,
    })
  })

  it.each([
    [
      '--rate',
      ['0', '5/x', '20000', '-1'],
      'a number of requests such as "5/s" or "30/m", up to 10000/s',
    ],
    [
      '--bandwidth',
      ['0', '999', '5 Mbit', '1e6'],
      'a number of bytes per second such as "500k" or "2MB/s", of at least 1000',
    ],
    ['--jitter', ['0.5', '50', '1001%', '2s'], 'a percentage such as "50%", up to 1000%'],
    [
      '--retry-status',
      ['200', '6xx', 'all', '40x'],
      'statuses from 400 to 599, 4xx or 5xx, separated by commas',
    ],
  ])('explains the values that %s accepts', async (flag, values, expected) => {
    for (const value of values) {
      expect(await refused([flag, value, 'http://127.0.0.1/'])).toEqual([
        `crawl: ${flag}: expected ${expected}, got \`${value}\``,
      ])
    }
  })

  it("doesn't take a seed as a cookie file", async () => {
    const [line] = await refused(['http://127.0.0.1/', '--cookies', 'http://127.0.0.2/'])
    expect(line).toBe('crawl: --cookies: expected a file name, got `http://127.0.0.2/`')
  })

  it.each([
    ['no colon', '8 characters'],
    [': no name', '9 characters'],
    [':', '1 character'],
    ['', '0 characters'],
  ])('refuses the header %j', async (header, length) => {
    const [line] = await refused(['-H', header, 'http://127.0.0.1/'])
    const got = `a text of ${length}`
    expect(line).toBe(`crawl: --header: expected \`name: value\`, got ${got}`)
  })

  it('refuses a seen set that is too large for any memory', async () => {
    const output = path('visits.jsonl')
    const args = ['--expected-urls', '1e15', '-o', output, 'http://127.0.0.1/']
    const lines = await refused(args)
    expect(lines).toHaveLength(1)
    await expect(readFile(output)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
