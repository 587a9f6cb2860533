import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Servers } from '../../src/cluster/redis/servers.ts'
import { silentLogger } from '../../src/logger.ts'
import { lastingPort } from './listen.ts'

/** Runs redis-server, with a second process that kills it when this process ends for any reason. */
const GUARDED =
  'exec 3<&0; (cat <&3 >/dev/null; kill -9 $$ 2>/dev/null) & exec redis-server "$@" 3<&- </dev/null'
const READY = 'Ready to accept connections'
/** Maximum number of failed starts, since a port may be taken between its choice and the start. */
const MAX_STARTS = 5

/** The port of a server was taken. */
class PortTaken extends Error {}

/** Starts servers, on other ports if one of them was taken meanwhile. */
export async function startOnFreePorts<T>(start: () => Promise<T>): Promise<T> {
  for (let starts = 1; ; starts++) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof PortTaken) || starts === MAX_STARTS) throw error
    }
  }
}

/** A real redis-server on a free port of loopback, with its files in a directory that is removed with it. */
export class RedisServer {
  readonly port: number
  /** Directory of its files. */
  readonly folder: string
  readonly #args: readonly string[]
  readonly #readiness: string
  #child: ChildProcess | undefined

  /**
   * @param args further options of redis-server, such as `--appendonly yes`
   * @param readiness text in its log when it is ready
   */
  constructor(port: number, folder: string, args: readonly string[], readiness = READY) {
    this.port = port
    this.folder = folder
    this.#args = args
    this.#readiness = readiness
  }

  static start(...args: string[]): Promise<RedisServer> {
    return RedisServer.onPortOf(lastingPort, ...args)
  }

  /**
   * Starts a server on a chosen port.
   * @param choose returns a port; called again if that is taken
   */
  static onPortOf(choose: () => Promise<number>, ...args: string[]): Promise<RedisServer> {
    return startOnFreePorts(async () => {
      const server = new RedisServer(await choose(), await redisFolder(), args)
      await startAll([server])
      return server
    })
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts the server, which must not be running. Resolves when it is ready. */
  async run(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder]
    const args = [...place, '--save', '', ...this.#args]
    const child = spawn('sh', ['-c', GUARDED, 'redis', ...args], { stdio: 'pipe' })
    this.#child = child
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let log = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes(this.#readiness)) resolve()
    })
    child.once('error', reject).once('close', () => {
      const Failure = log.includes('Address already in use') ? PortTaken : Error
      reject(new Failure(`redis-server ended:\n${log}`))
    })
    await promise
  }

  /** Kills the process without a shutdown. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    this.#child = undefined
    if (child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Stops the process, or continues it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(name)
  }

  /** Returns the reply to a `redis-cli` command. */
  async ask(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('redis-cli', ['-p', `${this.port}`, ...words])
    return stdout
  }

  async close(): Promise<void> {
    await this.kill()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Starts servers at the same time. Either all or none run then. */
export async function startAll(servers: readonly RedisServer[]): Promise<void> {
  const starts = await Promise.allSettled(servers.map((server) => server.run()))
  const failures = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
  if (failures.length === 0) return
  await Promise.all(servers.map((server) => server.close()))
  throw failures.find((failure) => failure instanceof PortTaken) ?? failures[0]
}

/** Creates a directory for the files of a server. */
export function redisFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'orbweaver-redis-'))
}

/** Opens separate connections to servers. */
export function connect(...urls: string[]): Promise<Servers> {
  return Servers.open(urls, silentLogger())
}
