import { CrawlerError } from '../../errors.ts'
import { percentDecoded } from '../../url/percent-decoded.ts'
import { labelOf } from '../../url/redis-url.ts'
import { evaluate, type Node, type Send, scan } from './commands.ts'
import type { Script } from './scripts.ts'
import { describeConnectError, describeServerError } from './server-errors.ts'

/** A Redis server, or a whole Redis Cluster. Every call may fail for the time being: see connection.ts. */
export interface RedisClient {
  /** Whether keys of one call have to be in one slot. */
  readonly isCluster: boolean
  /** What the connection failed of last. */
  readonly lastError: unknown
  /** How often a connection was lost. */
  readonly breaks: number
  /** Runs a script; all of its keys are in one slot. */
  evaluate(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /** Runs a command about a key. */
  command(key: string, ...words: string[]): Promise<unknown>
  /** Names of all keys that match a pattern, as they are found. */
  keys(pattern: string): AsyncGenerator<string[]>
  /** What each master tells of itself. */
  info(): Promise<string[]>
  /** Ends the connection; the next one goes to where the address leads by then. */
  reconnect(): void
  close(): void
}

/** A server or a cluster, by the package. */
interface Connected {
  readonly send: Send
  masters(): Promise<Node>[]
  destroy(): void
}

/** Milliseconds that a first connection may take, with all attempts. */
const PATIENCE_MS = 3_000
/** Milliseconds between two attempts to connect, at most. */
const LONGEST_PAUSE_MS = 1_000
/** Milliseconds without any answer after which a connection counts as lost. */
const SILENCE_MS = 15_000
const IS_CLUSTER = /^cluster_enabled:1/m

/**
 * Connects to a server, or to the cluster that it belongs to.
 * @throws CrawlerError('redis') when that doesn't come about within a few seconds
 */
export async function openClient(url: string): Promise<RedisClient> {
  // Loaded on the first need: it is larger than all the rest.
  const redis = await import('@redis/client')
  const attempts = new Attempts()
  const options = optionsOf(url, attempts)
  const bare = withoutLogin(url)
  const client = redis.createClient({ ...options, url: bare })
  client.on('error', (error) => attempts.failed(error)).on('reconnecting', () => attempts.broke())
  try {
    await client.connect()
    const info = String(await client.sendCommand(['INFO']))
    if (!IS_CLUSTER.test(info)) {
      attempts.isConnected = true
      return new Client(ofServer(client), attempts, false)
    }
    client.destroy()
    const cluster = redis.createCluster({
      rootNodes: [{ ...options, url: bare }],
      defaults: options,
      RESP: 2,
      topologyRefreshOnReconnectionAttemptStrategy: LONGEST_PAUSE_MS,
    })
    cluster.on('error', (error) => attempts.failed(error))
    cluster.on('node-error', (error) => attempts.failed(error))
    cluster.on('node-reconnecting', () => attempts.broke())
    await cluster.connect()
    attempts.isConnected = true
    const whole = {
      send: (key: string, words: string[]) => cluster.sendCommand(key, false, words),
      masters: () => cluster.masters.map(async (master) => cluster.nodeClient(master)),
      destroy: () => cluster.destroy(),
    }
    return new Client(whole, attempts, true)
  } catch (cause) {
    if (client.isOpen) client.destroy()
    const text = describeConnectError(attempts.lastError ?? cause)
    throw new CrawlerError('redis', `Redis at ${labelOf(url)} ${text}`, { cause })
  }
}

/** How connecting goes. */
class Attempts {
  readonly #deadline = performance.now() + PATIENCE_MS
  lastError: unknown
  breaks = 0
  /** From then on it is tried for ever. */
  isConnected = false

  failed(error: unknown): void {
    this.lastError = error
  }

  broke(): void {
    this.breaks++
  }

  /** Milliseconds until the next one; the cause when there is none. */
  next(retries: number, cause: Error): number | Error {
    const isHopeless = describeServerError(cause).missing === undefined
    if (!this.isConnected && (isHopeless || performance.now() > this.#deadline)) return cause
    return Math.min(50 * 2 ** retries, LONGEST_PAUSE_MS)
  }
}

class Client implements RedisClient {
  readonly isCluster: boolean
  readonly #servers: Connected
  readonly #attempts: Attempts

  constructor(servers: Connected, attempts: Attempts, isCluster: boolean) {
    this.#servers = servers
    this.#attempts = attempts
    this.isCluster = isCluster
  }

  get lastError(): unknown {
    return this.#attempts.lastError
  }

  get breaks(): number {
    return this.#attempts.breaks
  }

  evaluate(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return evaluate(this.#servers.send, script, keys, args)
  }

  command(key: string, ...words: string[]): Promise<unknown> {
    return this.#servers.send(key, words)
  }

  async *keys(pattern: string): AsyncGenerator<string[]> {
    for (const master of this.#servers.masters()) yield* scan(await master, pattern)
  }

  async info(): Promise<string[]> {
    const replies = this.#servers.masters().map(async (m) => (await m).sendCommand(['INFO']))
    return (await Promise.all(replies)).map(String)
  }

  reconnect(): void {
    // The one command that every user may give, and after which every server hangs up.
    if (!this.isCluster) this.#servers.send('', ['QUIT']).catch(() => {})
  }

  close(): void {
    this.#servers.destroy()
  }
}

function ofServer(client: Node & { readonly isOpen: boolean; destroy(): void }): Connected {
  return {
    send: (_, words) => client.sendCommand(words),
    masters: () => [Promise.resolve(client)],
    destroy: () => {
      if (client.isOpen) client.destroy()
    },
  }
}

/** The login is among the options: the package can't read one whose escapes make no text. */
function withoutLogin(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/** What all connections have in common. */
function optionsOf(url: string, attempts: Attempts) {
  const { username, password, protocol } = new URL(url)
  return {
    ...(username !== '' && { username: percentDecoded(username) }),
    ...(password !== '' && { password: percentDecoded(password) }),
    RESP: 2,
    // What can't be sent now is tried again by us, who know what may be said twice.
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: {
      ...(protocol === 'rediss:' && { tls: true as const }),
      connectTimeout: PATIENCE_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (retries: number, cause: Error) => attempts.next(retries, cause),
    },
  } as const
}
