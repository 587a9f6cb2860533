import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlerError } from '../../errors.ts'
import { percentDecoded } from '../../url/percent-decoded.ts'
import { redisAddress } from '../../url/redis-url.ts'
import type { Script } from './scripts.ts'
import { describeConnectError, describeServerError } from './server-errors.ts'

/** A single server, or a node of a cluster, of the package `@redis/client`. */
interface RedisNode {
  sendCommand(words: string[]): Promise<unknown>
}

/** A server or a cluster, wrapped around the objects of the package `@redis/client`. */
interface Connected {
  /** Sends a command to the server that has its key. */
  send(key: string, words: string[]): Promise<unknown>
  masters(): Promise<RedisNode>[]
  destroy(): void
}

/** Maximum milliseconds for the first connection, including all attempts. */
const CONNECT_MS = 3_000
/** Maximum milliseconds between two attempts to connect. */
const MAX_PAUSE_MS = 1_000
/** Milliseconds without any answer after which a connection counts as lost. */
const SILENCE_MS = 15_000
/** Number of keys to scan at a time. */
const PAGE = '1000'
const IS_CLUSTER = /^cluster_enabled:1/m

/**
 * Connects to a server, or to the cluster that it belongs to.
 * @throws CrawlerError('redis') if the server refuses, or if all attempts fail for a few seconds
 */
export async function openClient(url: string): Promise<RedisClient> {
  const attempts = new ConnectAttempts()
  for (let retries = 0; ; retries++) {
    try {
      const client = await connect(url, attempts)
      attempts.neverEnd()
      return client
    } catch (error) {
      const cause = attempts.lastError ?? error
      const pause = attempts.next(retries, cause)
      if (pause === undefined) {
        const message = `Redis at ${redisAddress(url)} ${describeConnectError(cause)}`
        throw new CrawlerError('redis', message, { cause })
      }
      await sleep(pause)
    }
  }
}

/**
 * Connects once. The package itself repeats attempts to connect, but not the first command if its connection is lost.
 */
async function connect(url: string, attempts: ConnectAttempts): Promise<RedisClient> {
  // Loaded here, since it is larger than the rest of the program, and few crawls need it.
  const { createClient } = await import('@redis/client')
  const client = createClient({ ...optionsOf(url, attempts), url: withoutLogin(url) })
  client
    .on('error', (error) => attempts.failed(error))
    .on('reconnecting', () => attempts.connectionLost())
  try {
    await client.connect()
    attempts.succeeded()
    const info = String(await client.sendCommand(['INFO']))
    if (!IS_CLUSTER.test(info)) return new RedisClient(singleServer(client), attempts, false)
  } catch (error) {
    if (client.isOpen) client.destroy()
    throw error
  }
  client.destroy()
  return new RedisClient(await connectToCluster(url, attempts), attempts, true)
}

async function connectToCluster(url: string, attempts: ConnectAttempts): Promise<Connected> {
  const { createCluster } = await import('@redis/client')
  const defaults = optionsOf(url, attempts)
  const cluster = createCluster({
    rootNodes: [{ ...defaults, url: withoutLogin(url) }],
    defaults,
    RESP: 2,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_PAUSE_MS,
  })
  cluster
    .on('error', (error) => attempts.failed(error))
    .on('node-error', (error) => attempts.failed(error))
    .on('node-reconnecting', () => attempts.connectionLost())
  try {
    await cluster.connect()
  } catch (error) {
    cluster.destroy()
    throw error
  }
  return {
    send: (key, words) => cluster.sendCommand(key, false, words),
    masters: () => cluster.masters.map(async (master) => cluster.nodeClient(master)),
    destroy: () => cluster.destroy(),
  }
}

/** Counts lost connections, and decides on further attempts. */
class ConnectAttempts {
  readonly #deadline = performance.now() + CONNECT_MS
  /** Error of the last attempt; undefined if it succeeded. */
  lastError: unknown
  lostConnections = 0
  #isEndless = false

  /** Makes attempts endless: the first connection is complete. */
  neverEnd(): void {
    this.#isEndless = true
  }

  succeeded(): void {
    this.lastError = undefined
  }

  failed(error: unknown): void {
    this.lastError = error
  }

  connectionLost(): void {
    this.lostConnections++
  }

  /** Returns the milliseconds until the next attempt; undefined to give up. */
  next(retries: number, cause: unknown): number | undefined {
    const isHopeless = describeServerError(cause).missing === undefined
    if (!this.#isEndless && (isHopeless || performance.now() > this.#deadline)) return undefined
    return Math.min(50 * 2 ** retries, MAX_PAUSE_MS)
  }
}

/** A Redis server, or a whole Redis Cluster. Any call may fail temporarily: retrying-client.ts retries it. */
export class RedisClient {
  /** True for a Redis Cluster, where all keys of a call must be in one slot. */
  readonly isCluster: boolean
  readonly #servers: Connected
  readonly #attempts: ConnectAttempts

  constructor(servers: Connected, attempts: ConnectAttempts, isCluster: boolean) {
    this.#servers = servers
    this.#attempts = attempts
    this.isCluster = isCluster
  }

  /** Error of the last failed connection. */
  get lastError(): unknown {
    return this.#attempts.lastError
  }

  /** Number of times that a connection was lost. */
  get lostConnections(): number {
    return this.#attempts.lostConnections
  }

  /**
   * Runs a script by its digest. Sends the text if the server doesn't know the script, for example after a restart. All
   * keys must be in one slot.
   */
  async evaluate(
    { text, digest }: Script,
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args]
    const [first = ''] = keys
    try {
      return await this.#servers.send(first, ['EVALSHA', digest, ...rest])
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return this.#servers.send(first, ['EVAL', text, ...rest])
    }
  }

  /** Runs a command on a key. */
  command(key: string, ...words: string[]): Promise<unknown> {
    return this.#servers.send(key, words)
  }

  /** Yields the names of all keys that match a pattern, a page at a time. */
  async *keys(pattern: string): AsyncGenerator<string[]> {
    for (const master of this.#servers.masters()) yield* scan(await master, pattern)
  }

  /** Returns the reply to INFO of each master. */
  async info(): Promise<string[]> {
    const replies = this.#servers.masters().map(async (m) => (await m).sendCommand(['INFO']))
    return (await Promise.all(replies)).map(String)
  }

  /** Closes the connection. The next one resolves the address again. */
  reconnect(): void {
    // Every user may run QUIT, and every server then closes the connection.
    if (!this.isCluster) this.#servers.send('', ['QUIT']).catch(() => {})
  }

  close(): void {
    this.#servers.destroy()
  }
}

/** Yields the names of the keys of a node that match a pattern, a page at a time. */
async function* scan(node: RedisNode, pattern: string): AsyncGenerator<string[]> {
  let cursor = '0'
  do {
    const reply: unknown = await node.sendCommand([
      ...['SCAN', cursor, 'MATCH', pattern],
      ...['COUNT', PAGE],
    ])
    const [next, keys] = Array.isArray(reply) ? reply : ['0', []]
    cursor = String(next)
    if (Array.isArray(keys) && keys.length > 0) yield keys.map(String)
  } while (cursor !== '0')
}

function singleServer(
  client: RedisNode & { readonly isOpen: boolean; destroy(): void },
): Connected {
  return {
    send: (_, words) => client.sendCommand(words),
    masters: () => [Promise.resolve(client)],
    destroy: () => {
      if (client.isOpen) client.destroy()
    },
  }
}

/** Removes the login, which goes into the options: the package fails on percent-escapes that aren't UTF-8. */
function withoutLogin(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/** Returns the options of all connections. */
function optionsOf(url: string, attempts: ConnectAttempts) {
  const { username, password, protocol } = new URL(url)
  return {
    ...(username !== '' && { username: percentDecoded(username) }),
    ...(password !== '' && { password: percentDecoded(password) }),
    RESP: 2,
    // retrying-client.ts itself retries calls that can't be sent now.
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: {
      ...(protocol === 'rediss:' && { tls: true as const }),
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (retries: number, cause: Error) => attempts.next(retries, cause) ?? cause,
    },
  } as const
}
