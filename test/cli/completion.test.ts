import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { wholeProgram } from '../../build/whole-program.ts'
import { bashCompletion } from '../../src/cli/completion/bash.ts'
import { commandWords } from '../../src/cli/completion/command-tree.ts'
import { fishCompletion } from '../../src/cli/completion/fish.ts'
import { powershellCompletion } from '../../src/cli/completion/powershell.ts'
import { zshCompletion } from '../../src/cli/completion/zsh.ts'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const program = commandWords(await wholeProgram())
/** Returns what a shell offered, one by one. A null byte ends the offers for a line. */
const offersIn = (text: string) =>
  text
    .split('\0')
    .slice(0, -1)
    .map((offers) => offers.replace(/\n$/, '').split('\n'))
const has = (shell: string) => ['/bin/', '/usr/bin/'].some((folder) => existsSync(folder + shell))

describe('crawl completion bash', () => {
  const script = bashCompletion(program)

  /** Returns what a real bash offers for the last word of each of these lines, which readline has split at colons. */
  function offered(...lines: readonly (readonly string[])[]): string[][] {
    const asks = lines.map((words) => {
      const typed = ['crawl', ...words].map((word) => `'${word}'`).join(' ')
      return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _crawl; printf '%s\\n' "\${COMPREPLY[@]}"; printf '\\0'`
    })
    const code = [script, `cd '${path()}'`, ...asks].join('\n')
    return offersIn(execFileSync('bash', ['-c', code], { encoding: 'utf8' }))
  }

  it('offers commands, and the options of each', () => {
    expect(
      offered(
        ['ch'],
        ['--max-p'],
        ['check', '--ju'],
        ['http', ':', '//a.test/', '--dep'],
        ['state', '--'],
      ),
    ).toEqual([
      ['check'],
      ['--max-pages', '--max-per-host', '--max-per-domain'],
      ['--junit'],
      ['--depth'],
      ['--json', '--export', '--help'],
    ])
  })

  it('offers the values of options, in lists, too', () => {
    expect(
      offered(
        ['--scope', ''],
        ['http', ':', '//a.test/', '--seen', 'redis-s'],
        ['check', '-f', ''],
        ['-f', 'gra'],
        ['--canonicalize', 'sort-query,strip-w'],
        ['--per-host', ''],
        ['--depth', 'u'],
      ),
    ).toEqual([
      ['page', 'path', 'host', 'domain', 'any'],
      ['redis-set'],
      ['text', 'json', 'csv', 'md'],
      ['graphml'],
      ['sort-query,strip-www'],
      [''],
      ['unlimited'],
    ])
  })

  it('offers values behind =, whether readline splits there or not', async () => {
    await mkdir(path('states'))
    const url = ['http', ':', '//a.test/?q', '=', '1']
    expect(
      offered(
        ['--scope', '=', 'h'],
        ['--scope', '='],
        [...url, '--state', '=', 's'],
        ['check', '--format', '=', 'j'],
        ['--scope', '=', 'host', '--max-pag'],
        ['--scope=h'],
        ['check', '--format=', '--fail-on=broken,r'],
        ['-d', '1', '--state=s'],
      ),
    ).toEqual([
      ...[
        ['host'],
        ['page', 'path', 'host', 'domain', 'any'],
        ['states'],
        ['json'],
        ['--max-pages'],
      ],
      ...[['--scope=host'], ['--fail-on=broken,redirect'], ['--state=states']],
    ])
  })

  it('offers the actions of commands', () => {
    expect(
      offered(
        ['job', '--json', 'p'],
        ['job', '--frontier', 'redis', ':', '//a', 'l'],
        ['seen', 'kept', ''],
        ['completion', 'po'],
        ['help', 'c'],
      ),
    ).toEqual([
      ['pause'],
      ['list'],
      ['has', 'add', 'forget'],
      ['powershell'],
      ['check', 'completion'],
    ])
  })

  it('offers directories of --state, and other directories if no state matches', async () => {
    await mkdir(path('kept in'))
    await mkdir(path('other'))
    await writeFile(path('kept in/crawl.sqlite'), '')
    expect(
      offered(['state', ''], ['--state', ''], ['--state', 'o'], ['--save-bodies', '']).map(
        (offers) => offers.toSorted(),
      ),
    ).toEqual([['kept in'], ['kept in'], ['other'], ['kept in', 'other']])
  })

  it('offers files for options that take one', async () => {
    await writeFile(path('my visits.jsonl'), '')
    expect(offered(['-o', 'my'], ['--browser', 'my'], ['report', path('my')])).toEqual([
      ['my visits.jsonl'],
      ['my visits.jsonl'],
      [path('my visits.jsonl')],
    ])
  })

  it('offers the names of jobs on the server, and runs none of them as code', () => {
    const names = 'job state\nnews running\nnew$(>evil) x\nold x'
    const fake = `crawl() { [[ "$*" == 'job list --frontier redis://a' ]] && echo '${names}'; }`
    const words = `'crawl' 'job' 'show' '--frontier' 'redis' ':' '//a' 'n'`
    const ask = `cd '${path()}'; COMP_WORDS=(${words}); COMP_CWORD=7; _crawl; printf '%s\\n' "\${COMPREPLY[@]}"`
    const text = execFileSync('bash', ['-c', `${fake}\n${script}\n${ask}`], { encoding: 'utf8' })
    expect(text).toBe('news\n')
    expect(existsSync(path('evil'))).toBe(false)
  })
})

describe('crawl completion zsh', () => {
  const script = zshCompletion(program)

  it.each([
    "'--junit=[also write the problems as JUnit XML]:file:_files'",
    "'--export=[print all visits or the whole queue instead, as JSON lines (visits, queue)]:text:(visits queue)'",
    "'1:text:(list show pause resume stop delete)' '*:job:_crawl_jobs'",
    "'1:text:(bash zsh fish powershell)'",
    '#compdef crawl orbweaver\n',
  ])('contains %s', (part) => {
    const isLast = part.startsWith("'1:text:(bash")
    expect(script).toContain(isLast ? part.replace('1:', '*:') : part)
  })

  it.runIf(has('zsh'))('is a script that zsh reads', async () => {
    await writeFile(path('script'), script)
    expect(execFileSync('zsh', ['-n', path('script')], { encoding: 'utf8' })).toBe('')
  })
})

describe('crawl completion fish', () => {
  const script = fishCompletion(program)

  it.each([
    "-n '__fish_seen_subcommand_from check' -l junit -r -F -d 'also write the problems",
    String.raw`-l scope -x -a 'page\t path\t host\t domain\t any\t' -d`,
    String.raw`-n '__crawl_is_at seen -eq 1' -f -a 'has\t add\t forget\t'`,
  ])('contains %s', (part) => {
    expect(script).toContain(part)
  })

  it.runIf(has('fish'))('offers commands, values, actions and directories of --state', async () => {
    await mkdir(path('kept'))
    await mkdir(path('other'))
    await writeFile(path('kept/crawl.sqlite'), '')
    await writeFile(path('script'), script)
    const folder = process.cwd()
    process.chdir(path())
    onTestFinished(() => process.chdir(folder))
    const offered = (...lines: readonly string[]) => {
      const asks = lines.map((typed) => `complete -C '${typed}'; printf '\\0'`)
      const ask = ['source script', ...asks].join('; ')
      const text = execFileSync('fish', ['-N', '-c', ask], { encoding: 'utf8' })
      return offersIn(text)
    }
    const names = (...lines: readonly string[]) =>
      offered(...lines).map((offers) => offers.map((line) => line.split('\t')[0]))
    const joined = ['crawl --scope=h', 'crawl --state=k', 'crawl --save-bodies=ot']
    expect(names(...joined)).toEqual([['--scope=host'], ['--state=kept'], ['--save-bodies=other/']])
    const [commands = [], files = []] = names('crawl ', 'crawl -o ')
    expect(commands).toContain('check')
    expect(commands).not.toContain('script')
    expect(files).toContain('script')
    const lines = ['crawl che', 'crawl --scope ', 'crawl seen kept ', 'crawl --state ']
    expect(names(...lines)).toEqual([
      ['check'],
      ['any', 'domain', 'host', 'page', 'path'],
      ['add', 'forget', 'has'],
      ['kept'],
    ])
    // Values have no description. The line of the option explains them.
    expect(offered('orbweaver check --format ')).toEqual([['csv', 'json', 'md', 'text']])
  })
})

it('crawl completion powershell contains the options and values of all commands', () => {
  const script = powershellCompletion(program)
  const [, json = ''] = /ConvertFrom-Json '(.*)'\n/.exec(script) ?? []
  const tree: { name: string; options: { names: string[]; value: unknown }[] }[] = JSON.parse(
    json.replaceAll("''", "'"),
  )
  expect(tree.map(({ name }) => name)).toEqual(['', ...program.commands.map(({ name }) => name)])
  expect(tree[0]?.options).toContainEqual(
    expect.objectContaining({
      names: ['--scope'],
      value: { kind: 'text', values: ['page', 'path', 'host', 'domain', 'any'] },
    }),
  )
})

it('crawl completion prints a script, and refuses an unknown shell', async () => {
  const { code, stdout } = await callCrawl(['completion', 'bash'])
  expect(code).toBe(0)
  expect(stdout).toBe(bashCompletion(program))
  const run = await callCrawl(['completion', 'tcsh'])
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).toContain('expected one of bash, zsh, fish, powershell')
})
