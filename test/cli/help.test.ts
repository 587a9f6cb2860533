import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { wholeProgram } from '../../build/whole-program.ts'
import { COMMAND_PAGES } from '../../src/cli/help/command-pages.ts'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

const helpOf = async (...args: string[]) => {
  const run = await callCrawl(args)
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return run.stdout
}

const program = await wholeProgram()
program.exitOverride().configureOutput({ writeErr() {} })
program.action(() => {})
const commands = [program, ...program.commands]

describe('the help', () => {
  it('is short with -h, and has all options with --help and crawl help', async () => {
    const [short, full] = await Promise.all([helpOf('-h'), helpOf('--help')])
    expect(await helpOf('help')).toBe(short)
    expect(await helpOf('help', 'crawl')).toBe(full)
    expect(short.split('\n').length).toBeLessThan(80)
    expect(short).toContain('crawl example.com -f line\n')
    expect(short).toMatch(/crawl --help shows all \d+ options/)
    const shown = program.options.filter(({ hidden }) => !hidden)
    for (const { long } of shown) if (long) expect(full).toContain(long)
    for (const part of ['Exit codes:\n  0 ', '  130 ', 'Environment:', 'Files:', 'Docs: http']) {
      expect(full).toContain(part)
    }
  })

  it.each([['-h'], ['--help']])('lists the commands before the options: %s', async (flag) => {
    const text = await helpOf(flag)
    expect(text.indexOf('  check ')).toBeGreaterThan(0)
    expect(text.indexOf('  check ')).toBeLessThan(text.indexOf('--depth'))
  })

  it('of a command is the same with crawl help, and shorter with -h', async () => {
    expect(await helpOf('help', 'diff')).toBe(await helpOf('diff', '--help'))
    const [short, full] = await Promise.all([helpOf('check', '-h'), helpOf('help', 'check')])
    expect(full).toContain('--min-rate-time')
    expect(short).not.toContain('--min-rate-time')
    expect(full).toContain('  8    crawl check found broken links or missing fragments.')
    expect(short).toContain('crawl check --help shows all')
  })

  it('of a command is also shown if the option precedes the command', async () => {
    expect(await helpOf('--help', 'check')).toBe(await helpOf('check', '--help'))
    expect(await helpOf('-h', 'check')).toBe(await helpOf('check', '-h'))
    expect(await helpOf('--help', 'https://example.com/')).toBe(await helpOf('--help'))
  })

  it.each(Object.keys(COMMAND_PAGES))(
    'fits 80 columns, with defaults as typed: %s',
    async (name) => {
      const lines = (await helpOf('help', name)).split('\n')
      // Addresses can't be wrapped.
      const wide = lines.filter((line) => line.length > 80 && !line.includes('https://'))
      expect(wide).toEqual([])
      expect(lines.filter((line) => line.includes('default: "'))).toEqual([])
    },
  )

  it('of an unknown command lists the commands', async () => {
    const names = 'check, job, report, diff, state, seen, plan, help, completion'
    expect(await callCrawl(['help', 'chek'])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: `crawl: help: expected one of ${names} (did you mean check?), got \`chek\` (crawl help --help shows more)\n`,
    })
  })

  it.each(commands.map((command) => [command.name(), command] as const))(
    'of %s names a page, options and examples that exist',
    async (name, command) => {
      const page = COMMAND_PAGES[name]
      if (page === undefined) throw new Error('no page')
      expect(existsSync(new URL(`../../docs/${page.docs}`, import.meta.url))).toBe(true)
      const longs = [...command.options.map(({ long }) => long), '--help']
      expect(longs).toEqual(expect.arrayContaining([...(page.mainOptions ?? [])]))
      for (const [line] of page.examples) {
        const [, words = ''] = /crawl ([^<>)|]+)/.exec(line) ?? []
        const args = [...words.trim().matchAll(/'([^']*)'|(\S+)/g)].map(
          ([, one, other]) => one ?? other ?? '',
        )
        if (args[0] === 'help') continue // the program prints
        await program.parseAsync(args, { from: 'user' })
      }
    },
  )
})

describe('the exit codes', () => {
  it.each([
    ['report', []],
    ['diff', ['-']],
    ['state', []],
    ['seen', ['has', 'http://a.test/']],
  ])('of %s name the one for a damaged directory of --state', async (command, args) => {
    await mkdir(path('kept'), { recursive: true })
    await writeFile(path('kept/crawl.sqlite'), 'junk')
    expect(await callCrawl([command, path('kept'), ...args])).toMatchObject({ code: 6 })
    expect(await helpOf(command, '--help')).toMatch(/^ +6 +The directory of --state is unusable/m)
  })
})

describe('an unknown option', () => {
  it.each([
    ['check', '--state', '; it belongs to crawl, not to crawl check: a check is not kept'],
    ['check', '-o', '; it belongs to crawl, not to crawl check: the report goes to stdout'],
    ['check', '--extract', '; it belongs to crawl, not to crawl check (crawl check --help'],
    ['check', '--stat', ' (crawl check --help'],
  ])('is explained if it belongs to crawl: crawl %s %s', async (command, flag, hint) => {
    const { code, stderr } = await callCrawl([command, 'http://127.0.0.1/', flag, 'x'])
    expect(code).toBe(2)
    expect(stderr).toContain(`crawl: unknown option '${flag}'${hint}`)
  })

  it.each([
    ['--dpth', '--depth'],
    ['--max-page', '--max-pages'],
    ['--Max-Pages', '--max-pages'],
    ['--ouptut', '--output'],
  ])('causes a suggestion of a similar one: %s', async (typed, meant) => {
    const { code, stderr } = await callCrawl([typed, '1', 'http://127.0.0.1:1/'])
    expect([code, stderr]).toEqual([
      2,
      `crawl: unknown option '${typed}'; did you mean ${meant}? (crawl --help shows more)\n`,
    ])
  })

  it.each([
    ['--limit-rate', '--bandwidth'],
    ['--rate-limit', '--rate'],
    ['-rl', '--rate'],
    ['--random-wait', '--jitter'],
    ['--retry-on-http-error', '--retry-status'],
    ['--pageLimit', '--max-pages'],
    ['--ignore-url', '--exclude'],
    ['--warc-file', '--output site.warc.gz'],
    ['--accept', '--include, or --save-only with --save-bodies'],
    ['--headers', '--header'],
    ['--mirror', '--save-bodies <dir> with --assets and --depth unlimited'],
    ['--stdin', '--seeds -'],
    ['-jc', '--render'],
  ])('of another program causes a suggestion of ours: %s', async (typed, meant) => {
    const { stderr } = await callCrawl([typed, '1', 'http://127.0.0.1:1/'])
    expect(stderr).toContain(`crawl: unknown option '${typed}'; did you mean ${meant}?`)
  })

  it.each([
    ['--accepted-status-codes', 'did you mean --accept?'],
    ['--offline', 'did you mean --no-external?'],
    ['--skip', 'did you mean --exclude?'],
    ['--include-fragments', "it isn't needed: crawl check checks fragments"],
  ])('of a link checker causes a suggestion of ours: %s', async (typed, hint) => {
    const { stderr } = await callCrawl(['check', typed, '1', 'http://127.0.0.1:1/'])
    expect(stderr).toContain(`crawl: unknown option '${typed}'; ${hint}`)
  })

  it.each([
    ['--warc-cdx', "; it isn't needed: site.warc.gz gets an index, site.cdxj"],
    [
      '--log-file',
      "; it isn't needed: the log goes to stderr, and 2> crawl.log writes it to a file",
    ],
    ['--hooks', '; it is a setting for the file of --config: hooks'],
    ['--hook-timeout', '; it is a setting for the file of --config: hookTimeout'],
  ])('of no use here causes a hint: %s', async (typed, hint) => {
    const { stderr } = await callCrawl([typed, 'x', 'http://127.0.0.1:1/'])
    expect(stderr).toBe(`crawl: unknown option '${typed}'${hint} (crawl --help shows more)\n`)
  })

  it('causes a suggestion of an option of the same command', async () => {
    const { stderr } = await callCrawl(['check', '--juni', 'x'])
    expect(stderr).toContain('; did you mean --junit? (crawl check --help shows more)')
    expect((await callCrawl(['diff', 'a', 'b', '--juni'])).stderr).not.toContain('mean')
  })

  it.each([
    ["unknown option '--juni'; did you mean --junit? (crawl check", ['check', '--juni', 'x']],
    ["unknown option '-junit'; did you mean --junit? (crawl check", ['check', '-junit', 'x']],
    ['–junit: did you mean --junit, with hyphens', ['check', '–junit', 'x']],
    ['--delay 5 ms: did you mean --delay 5ms? (crawl check', ['check', '--delay', '5', 'ms']],
  ])('gets it after options before the command: %s', async (message, args) => {
    for (const before of [['-v'], ['-d', '3'], ['-d3'], ['--depth=3', '--cookies', '-q']]) {
      const { stderr } = await callCrawl([...before, ...args])
      expect(stderr).toContain(message)
    }
  })

  it.each([
    ['--foo', 'check'],
    ['--exclude', 'check'],
  ])('of crawl gets no hint of a command that only follows an option: %s %s', async (...before) => {
    const { stderr } = await callCrawl([...before, '--juni', 'x'])
    expect(stderr).toMatch(/^crawl: unknown option '--(?:foo|juni)' \(crawl --help shows more\)\n$/)
  })

  it.each(['--follow', '--weight', '-y'])(
    'causes no suggestion if none is similar: %s',
    async (typed) => {
      const { stderr } = await callCrawl([typed, 'http://127.0.0.1:1/'])
      expect(stderr).toBe(`crawl: unknown option '${typed}' (crawl --help shows more)\n`)
    },
  )
})
