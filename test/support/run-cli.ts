import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Visit } from '../../src/records/visit.ts'

export interface CrawlRun {
  /** Exit code, or null when a signal ended the process. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /**
   * The lines of stdout, parsed on access.
   * @throws Error if a line is not JSON
   */
  readonly visits: readonly Visit[]
}

export interface CrawlOptions {
  readonly cwd?: string
  /** Added to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** Written to stdin, which is empty by default. */
  readonly stdin?: string
  /** Sends a signal, SIGINT by default, once this many lines are on stdout. */
  readonly signalAfter?: { readonly visits: number; readonly signal?: NodeJS.Signals }
  /** Arguments of node, before the script. */
  readonly nodeArgs?: readonly string[]
  /** Called with the process after it was started. */
  readonly onStart?: (child: ChildProcess) => void
  /** Kills the process and fails after this many ms; by default, shortly before the test times out. */
  readonly timeoutMs?: number
}

/** Path of the script. */
export const BIN = fileURLToPath(new URL('../../bin/crawl.js', import.meta.url))

/** Runs the real `crawl` command (build it first) and waits for its end; see `oneWorker`. */
export function runCrawl(args: readonly string[], options: CrawlOptions = {}): Promise<CrawlRun> {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), BIN, ...oneWorker(args)], {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
  })
  // A command that fails early closes stdin before it is written.
  child.stdin.on('error', () => {}).end(options.stdin ?? '')
  options.onStart?.(child)
  return collect(child, options)
}

/**
 * Adds an option for one fetch worker, unless the arguments set the number or name a config file. Each worker takes as
 * long to start as a small site takes to crawl.
 */
export function oneWorker(args: readonly string[]): readonly string[] {
  const isSaid = args.some((arg) => ['-w', '--workers', '--config'].includes(arg))
  const [first = '-'] = args
  const isCrawl = first.startsWith('-') || URL.canParse(first)
  return isSaid || !isCrawl ? args : ['--workers', '1', ...args]
}

/** Kills a process as soon as a condition is true. */
export function killOnce(child: ChildProcess, when: () => boolean): void {
  const timer = setInterval(() => when() && child.kill('SIGKILL'), 5)
  child.once('exit', () => clearInterval(timer))
}

/** Runs the command, and closes its stdout after the first output. Returns the exit code and stderr. */
export async function leaveEarly(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = spawn(process.execPath, [BIN, ...args])
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  return { code, stderr }
}

function collect(child: ChildProcess, options: CrawlOptions): Promise<CrawlRun> {
  const { promise, resolve, reject } = Promise.withResolvers<CrawlRun>()
  const { timeoutMs = 200_000 } = options
  let stdout = ''
  let stderr = ''
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new Error(`crawl did not end within ${timeoutMs} ms; its stderr:\n${stderr}`))
  }, timeoutMs)
  const signalOnce = signaller(child, options)
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    signalOnce(stdout)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.once('error', reject).once('close', (code) => {
    clearTimeout(timer)
    resolve(new EndedRun(code, stdout, stderr))
  })
  return promise
}

function signaller(child: ChildProcess, { signalAfter }: CrawlOptions): (stdout: string) => void {
  let sent = signalAfter === undefined
  return (stdout) => {
    if (sent || stdout.split('\n').length <= (signalAfter?.visits ?? 0)) return
    sent = true
    child.kill(signalAfter?.signal ?? 'SIGINT')
  }
}

/** The result of a run. */
export class EndedRun implements CrawlRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string

  constructor(code: number | null, stdout: string, stderr: string) {
    this.code = code
    this.stdout = stdout
    this.stderr = stderr
  }

  get visits(): Visit[] {
    const lines = this.stdout.split('\n')
    const last = lines.pop() ?? ''
    // Only a killed process may leave an incomplete line.
    return (this.code === null || last === '' ? lines : [...lines, last]).map(parseVisit)
  }
}

function parseVisit(line: string): Visit {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`a line of stdout is not JSON: ${line.slice(0, 200)}`)
  }
}
