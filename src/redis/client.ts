import { CrawlerError } from '../errors.ts'
import { labelOf } from '../url/redis-url.ts'
import { evaluate, type Node, type Send, scan } from './commands.ts'
import type { Script } from './scripts.ts'

/** A Redis server, or a whole Redis Cluster. Every call may fail for the time being: see connection.ts. */
export interface RedisClient {
  /** Whether keys of one call have to be in one slot. */
  readonly isCluster: boolean
  /** Runs a script; all of its keys are in one slot. */
  evaluate(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /** Runs a command about a key. */
  command(key: string, ...words: string[]): Promise<unknown>
  /** Names of all keys that match a pattern, as they are found. */
  keys(pattern: string): AsyncGenerator<string[]>
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
/** What another attempt does not change. */
const REFUSED = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:AUTH|invalid password|DB index))/
const OLDEST = 7

/**
 * Connects to a server, or to the cluster that it belongs to.
 * @throws CrawlerError('redis') when that doesn't come about within a few seconds
 */
export async function openClient(url: string): Promise<RedisClient> {
  const label = labelOf(url)
  // Loaded on the first need: it takes longer to load than all the rest.
  const redis = await import('@redis/client')
  const deadline = performance.now() + PATIENCE_MS
  let isConnected = false
  const options = {
    url,
    RESP: 2,
    // What can't be sent now is tried again by us, who know what may be said twice.
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: PATIENCE_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy(retries: number, cause: Error) {
        if (REFUSED.test(cause.message)) return cause
        if (!isConnected && performance.now() > deadline) return cause
        return Math.min(50 * 2 ** retries, LONGEST_PAUSE_MS)
      },
    },
  } as const
  const client = redis.createClient(options)
  client.on('error', () => {}) // told by the calls that fail
  try {
    await client.connect()
    const info = String(await client.sendCommand(['INFO']))
    checkVersion(label, info)
    isConnected = true
    if (!/^cluster_enabled:1/m.test(info)) {
      const server = {
        send: (_: string, words: string[]) => client.sendCommand(words),
        masters: () => [Promise.resolve(client)],
        destroy: () => {
          if (client.isOpen) client.destroy()
        },
      }
      return new Connection(server, false)
    }
    client.destroy()
    const { url: _, ...defaults } = options
    const cluster = redis.createCluster({
      rootNodes: [options],
      defaults: { ...defaults, ...credentialsOf(url) },
      RESP: 2,
    })
    cluster.on('error', () => {})
    await cluster.connect()
    const whole = {
      send: (key: string, words: string[]) => cluster.sendCommand(key, false, words),
      masters: () => cluster.masters.map(async (master) => cluster.nodeClient(master)),
      destroy: () => cluster.destroy(),
    }
    return new Connection(whole, true)
  } catch (cause) {
    if (client.isOpen) client.destroy()
    if (cause instanceof CrawlerError) throw cause
    throw unreachable(label, cause)
  }
}

class Connection implements RedisClient {
  readonly isCluster: boolean
  readonly #servers: Connected

  constructor(servers: Connected, isCluster: boolean) {
    this.#servers = servers
    this.isCluster = isCluster
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

  close(): void {
    this.#servers.destroy()
  }
}

function credentialsOf(url: string) {
  const { username, password, protocol } = new URL(url)
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { socket: { tls: true as const } }),
  }
}

function checkVersion(label: string, info: string): void {
  const version = /^redis_version:(\d+)\.(\S+)/m.exec(info)
  if (version === null || Number(version[1]) >= OLDEST) return
  const message = `${label}: expected Redis ${OLDEST} or newer, got ${version[1]}.${version[2]}`
  throw new CrawlerError('redis', message)
}

function unreachable(label: string, cause: unknown): CrawlerError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new CrawlerError('redis', `${label}: can't be reached: ${reason}`, { cause })
}
