import type { ClientHttp2Session } from 'node:http2'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { type ResponseWatch, watchSession } from './http2-session.ts'
import type { KeptConnections } from './kept-connections.ts'
import { countReads, mendParser, onAnswered, type UndiciParser } from './mended-parser.ts'

const require = createRequire(import.meta.url)

/**
 * The parts of undici that are used here. Its entry would load fetch, WebSocket, caches and mocks
 * with them: five times as many files, in each worker, before the first request.
 */
const UndiciAgent: typeof import('undici').Agent = require('undici/lib/dispatcher/agent.js')
export type UndiciAgent = import('undici').Agent

export const buildConnector: typeof import('undici').buildConnector = require('undici/lib/core/connect.js')
export type Connector = import('undici').buildConnector.connector
export type ConnectorTarget = import('undici').buildConnector.Options

const { getServerName, setupConnectTimeout }: UndiciUtil = require('undici/lib/core/util.js')

/** The functions of undici's `core/util.js` that are used here. */
interface UndiciUtil {
  getServerName(host: string): string | null
  setupConnectTimeout(socket: WeakRef<Socket>, options: ConnectTimeout): () => void
}

interface ConnectTimeout {
  readonly timeout: number
  /** For the message. */
  readonly hostname: string
  readonly port: string
}

/** Returns the name that TLS asks for; undefined for an address. */
export function serverNameOf(host: string | undefined): string | undefined {
  return (host && getServerName(host)) || undefined
}

/** Destroys a socket after a time, with undici's error. Returns a function that ends that. */
export function setConnectTimeout(socket: Socket, options: ConnectTimeout): () => void {
  return setupConnectTimeout(new WeakRef(socket), options)
}

const { kHTTP2Session, kParser, kSize, kSocket }: Readonly<Record<SymbolName, symbol>> =
  require('undici/lib/core/symbols.js')
type SymbolName = 'kHTTP2Session' | 'kParser' | 'kSize' | 'kSocket'

const { InformationalError }: { InformationalError: new (message: string) => Error } =
  require('undici/lib/core/errors.js')

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
  return new UndiciAgent(options).on('connect', (_, dispatchers) => {
    const client = dispatchers.at(-1)
    const socket: unknown = client && Reflect.get(client, kSocket)
    if (client === undefined || !(socket instanceof Socket)) throw unknownVersion()
    const connection = {
      get isIdle() {
        return Reflect.get(client, kSize) === 0
      },
      close: () => void socket.destroy(new InformationalError('too many connections are idle')),
    }
    watch.kept.opened()
    socket.once('close', () => watch.kept.closed())
    const session: unknown = Reflect.get(client, kHTTP2Session)
    const served = () => watch.kept.served(connection)
    if (isSession(session)) watchSession(session, socket, { ...watch, served })
    else watchParser(Reflect.get(socket, kParser), { ...watch, served })
  })
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
