import type { ClientHttp2Session } from 'node:http2'
import { type OnReadOpts, Socket } from 'node:net'
import buildConnector from 'undici/lib/core/connect.js'
import errors from 'undici/lib/core/errors.js'
import symbols from 'undici/lib/core/symbols.js'
import util from 'undici/lib/core/util.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { type ResponseWatch, watchSession } from './http2-session.ts'
import type { KeptConnections } from './kept-connections.ts'
import { countReads, mendParser, onAnswered, type UndiciParser } from './mended-parser.ts'
import { replaceQueue } from './request-queue.ts'
import { readsShared } from './shared-read-buffer.ts'

const { getServerName, setupConnectTimeout } = util
const { kHTTP2Session, kParser, kSize, kSocket } = symbols
const { InformationalError } = errors

/** One for all: to make an error, and its stack for Node, takes as long as to close a connection. */
const TOO_MANY_IDLE = new InformationalError('too many connections are idle')

export { buildConnector }
export type UndiciAgent = import('undici').Agent
export type Connector = import('undici').buildConnector.connector
export type ConnectorTarget = import('undici').buildConnector.Options

/** Returns the name that TLS asks for; undefined for an address. */
export function serverNameOf(host: string | undefined): string | undefined {
  return (host && getServerName(host)) || undefined
}

/** Destroys a socket after a time, with undici's error. Returns a function that ends that. */
export function setConnectTimeout(
  socket: Socket,
  options: Parameters<typeof setupConnectTimeout>[1],
): () => void {
  return setupConnectTimeout(new WeakRef(socket), options)
}

/**
 * Returns a connector whose sockets hand what they read to undici's parser at once, without a stream.
 * @param connectWith returns a connector for sockets with this option
 */
export function parsingConnector(connectWith: (onread: OnReadOpts) => Connector): Connector {
  return (target, callback) => {
    const feed = new ParserFeed()
    return connectWith(readsShared((bytes) => feed.take(bytes)))(target, (...result) => {
      if (result[0] === null) feed.begin(result[1])
      callback(...result)
    })
  }
}

/** Hands what a socket reads to undici's parser. The next read overwrites it: what the parser keeps is copied. */
class ParserFeed {
  #socket: Socket | undefined
  /** The header that is being read, and how many of its names and values are copies. */
  #headers: readonly Buffer[] = []
  #copied = 0

  begin(socket: Socket): void {
    this.#socket = socket
    const { unshift } = socket
    // A paused parser returns unread bytes to the socket, which keeps them: the next read overwrites this buffer.
    socket.unshift = (bytes: Buffer) => unshift.call(socket, Buffer.from(bytes))
  }

  /** Returns false if nothing more is to be parsed for now. */
  take(bytes: Buffer): boolean {
    const socket = this.#socket
    const parser: unknown = socket && Reflect.get(socket, kParser)
    // The parser is gone when the connection is of no use any more.
    if (socket === undefined || !isParser(parser)) return true
    // TLS may have decrypted more than was asked for.
    if (parser.paused) socket.push(Buffer.from(bytes))
    else parser.execute(bytes)
    if (parser.headers.length > 0) this.#copyHeader(parser.headers)
    return !parser.paused
  }

  /** Copies the names and values of an unfinished header that the last read has brought. */
  #copyHeader(headers: Buffer[]): void {
    const first = headers === this.#headers ? this.#copied : 0
    // Each of them once: a header may come byte by byte.
    const fresh = headers.slice(first).map((text) => Buffer.from(text))
    headers.splice(first, fresh.length, ...fresh)
    this.#headers = headers
    this.#copied = headers.length
  }
}

/** The options and listeners for the connections of an agent. */
export interface ConnectionWatch {
  /** Bounds their number. */
  readonly kept: KeptConnections
  /** Called with the number of bytes whenever a connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
  /** True if servers may choose HTTP/2. */
  readonly http2: boolean
}

/** Opens an agent whose connections parse responses with the fixes of `mendParser`. */
export function openAgent(
  options: import('undici').Agent.Options,
  watch: ConnectionWatch,
): UndiciAgent {
  return new Agent({ ...options, factory: openPool }).on('connect', (_, dispatchers) => {
    const client = dispatchers.at(-1)
    const socket: unknown = client && Reflect.get(client, kSocket)
    if (client === undefined || !(socket instanceof Socket)) throw unknownVersion()
    const connection = {
      get isIdle() {
        return Reflect.get(client, kSize) === 0
      },
      close: () => void socket.destroy(TOO_MANY_IDLE),
    }
    const served = () => watch.kept.used(connection)
    served()
    socket.once('close', () => watch.kept.closed(connection))
    const session: unknown = Reflect.get(client, kHTTP2Session)
    if (isSession(session)) watchSession(session, socket, { ...watch, served })
    else watchParser(Reflect.get(socket, kParser), { ...watch, served })
  })
}

function openPool(origin: string | URL, options: object): InstanceType<typeof Pool> {
  const pool = new Pool(origin, options)
  replaceQueue(pool)
  return pool
}

function watchParser(parser: unknown, { served, onRead }: ResponseWatch): void {
  if (!isParser(parser)) throw unknownVersion()
  mendParser(parser)
  if (onRead !== undefined) countReads(parser, onRead)
  onAnswered(parser, served)
}

function unknownVersion(): Error {
  return new Error('this version of undici has another parser')
}

function isParser(value: unknown): value is UndiciParser {
  return isObject(value) && 'onHeadersComplete' in value && 'createError' in value
}

function isSession(value: unknown): value is ClientHttp2Session {
  return isObject(value) && 'request' in value && 'goaway' in value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
