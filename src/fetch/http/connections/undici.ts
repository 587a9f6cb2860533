import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
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

const { kParser, kSize, kSocket }: Readonly<Record<'kParser' | 'kSize' | 'kSocket', symbol>> =
  require('undici/lib/core/symbols.js')
const { InformationalError }: { InformationalError: new (message: string) => Error } =
  require('undici/lib/core/errors.js')

/** What happens to the connections of an agent. */
export interface ConnectionWatch {
  /** Bounds their number. */
  readonly kept: KeptConnections
  /** Called with the number of bytes whenever a connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
}

/** Opens an agent whose connections parse responses with the fixes of `mendParser`. */
export function openAgent(
  options: import('undici').Agent.Options,
  { kept, onRead }: ConnectionWatch,
): UndiciAgent {
  return new UndiciAgent(options).on('connect', (_, dispatchers) => {
    const client = dispatchers.at(-1)
    const socket: unknown = client && Reflect.get(client, kSocket)
    const parser: unknown = isObject(socket) ? Reflect.get(socket, kParser) : undefined
    if (client === undefined || !isParser(parser)) {
      throw new Error('this version of undici has another parser')
    }
    mendParser(parser)
    if (onRead !== undefined) countReads(parser, onRead)
    boundNumber(client, parser, kept)
  })
}

/** Has a connection closed when it becomes idle and there are too many. */
function boundNumber(client: Dispatcher, parser: UndiciParser, kept: KeptConnections): void {
  const { socket } = parser
  const connection = {
    get isIdle() {
      return Reflect.get(client, kSize) === 0
    },
    close: () => void socket.destroy(new InformationalError('too many connections are idle')),
  }
  kept.opened()
  onAnswered(parser, () => kept.served(connection))
  socket.once('close', () => kept.closed())
}

function isParser(value: unknown): value is UndiciParser {
  return isObject(value) && 'onHeadersComplete' in value && 'createError' in value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
