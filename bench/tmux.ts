/**
 * Checks that nothing is lost or overwritten at a terminal. Runs crawls in tmux at 60, 80 and 200 columns, plain, in
 * pipelines and into a file. Compares the screen, and the output in a pipe or file byte for byte, with the same crawl
 * without a terminal. Needs tmux and jq.
 *
 *   npm run build && node bench/tmux.ts
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../test/support/listen.ts'
import { BIN } from '../test/support/run-cli.ts'

const PAGES = 150
/** Milliseconds before a response, long enough that the live view is drawn between visits. */
const ANSWER_MS = 15
const WIDTHS = [60, 80, 200]
const LIMIT_MS = 60_000

/** A way to run a crawl, and the visits that its terminal must show. */
interface Way {
  readonly name: string
  /** The text after the crawl in the command line. `OUT` is a file that receives the output. */
  readonly behind: string
  /** The command that filters the visits of a crawl without a terminal in the same way. */
  readonly filter?: readonly string[]
  readonly flags?: readonly string[]
}

const WAYS: readonly Way[] = [
  { name: 'plain', behind: '' },
  { name: 'plain, lines for people', behind: '', flags: ['-f', 'line'] },
  { name: '| jq', behind: '| tee OUT | jq -c .', filter: ['jq', '-c', '.'] },
  { name: '| cat', behind: '| tee OUT | cat' },
  { name: '| grep', behind: '| tee OUT | grep page-7', filter: ['grep', 'page-7'] },
  { name: '| head -1', behind: '| head -1', filter: ['head', '-1'] },
  { name: '> file', behind: '> OUT', filter: ['false'] },
]

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-tmux-'))
const server = createServer((request, response) => {
  if (request.url === '/robots.txt') {
    response.writeHead(404).end()
    return
  }
  const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
  const links = [number * 2 + 1, number * 2 + 2]
    .filter((each) => each < PAGES)
    .map((each) => `<a href=/page-${each}>to</a>`)
  const title = `Page ${number} ${'of a long title '.repeat(number % 12)}`
  setTimeout(() => {
    response.writeHead(number % 10 === 9 ? 404 : 200, { 'content-type': 'text/html' })
    response.end(`<title>${title}</title>${links.join('')}`)
  }, ANSWER_MS)
})
const port = await listen(server)
const crawl = [process.execPath, BIN, `http://127.0.0.1:${port}/`, '-d', '20', '--deterministic']
let failures = 0
/** Number of runs. Each run has a tmux server of its own, since a server takes time to end with its last session. */
let runs = 0
try {
  for (const way of WAYS) {
    const expected = await withoutTerminal(way)
    for (const columns of WIDTHS) {
      const problem = await problemIn(way, columns, expected)
      if (problem !== undefined) failures++
      console.log(`${String(columns).padStart(3)} columns, ${way.name}: ${problem ?? 'the same'}`)
    }
  }
} finally {
  spawnSync('tmux', ['-L', socket(), 'kill-server'], { stdio: 'ignore' })
  server.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0

/** The output of a crawl to a pipe, and the part of it that the terminal must show. */
interface Expected {
  readonly piped: string
  readonly shown: string
}

async function withoutTerminal({ filter, flags = [] }: Way): Promise<Expected> {
  const piped = await outputOf([...crawl, ...flags, '-q'])
  if (filter === undefined) return { piped, shown: piped }
  const [command = '', ...args] = filter
  return { piped, shown: spawnSync(command, args, { input: piped, encoding: 'utf8' }).stdout }
}

/** Returns the output of a command. Not with spawnSync, since this process also serves the site. */
async function outputOf([command = '', ...args]: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  return text(child.stdout)
}

/** Returns the difference from the crawl without a terminal; undefined if there is none. */
async function problemIn(
  { behind, flags = [] }: Way,
  columns: number,
  { piped, shown }: Expected,
): Promise<string | undefined> {
  const out = join(folder, 'out')
  rmSync(out, { force: true })
  const screen = await runInTmux(
    columns,
    `${shellWords([...crawl, ...flags])} ${behind.replace('OUT', out)}`,
  )
  if (existsSync(out) && readFileSync(out, 'utf8') !== piped) return 'the pipe or file differs'
  const lines = screen.split('\n').map((line) => line.trimEnd())
  const wanted = shown.split('\n').filter(Boolean)
  let at = -1
  for (const line of wanted) {
    const next = lines.indexOf(line.trimEnd(), at + 1)
    if (next < 0) return `not on the screen, or not in its place: ${line.slice(0, 120)}`
    at = next
  }
  const visits = lines.filter((line) => line.startsWith('{"url"') || /^(?:200|404) {2}/.test(line))
  if (visits.length !== wanted.length) {
    return `${visits.length} visits on the screen, expected ${wanted.length}`
  }
  if (!/^Finished after|^Ended/m.test(screen)) return 'no summary on the screen'
  return /^END 0$/m.test(screen) ? undefined : 'an exit code other than 0'
}

/** Runs a command line in a window of its own. Returns the screen with its history, with long lines joined. */
async function runInTmux(columns: number, line: string): Promise<string> {
  runs++
  const done = join(folder, 'done')
  rmSync(done, { force: true })
  const size = ['-x', String(columns), '-y', '24']
  const script = `set -o pipefail; ${line}; echo END $?; touch ${done}; exec sleep 60`
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'crawl', ...size, 'sleep', '60')
  tmux('set-option', '-g', 'history-limit', '100000')
  tmux('new-window', '-t', 'crawl:9', 'bash', '--norc', '-c', script)
  for (let waited = 0; !existsSync(done) && waited < LIMIT_MS; waited += 50) await sleep(50)
  await sleep(200)
  const screen = tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'crawl:9')
  tmux('kill-server')
  return screen
}

function tmux(...args: readonly string[]): string {
  return execFileSync('tmux', ['-L', socket(), ...args], { encoding: 'utf8' })
}

function socket(): string {
  return `orbweaver-${process.pid}-${runs}`
}

function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ')
}
