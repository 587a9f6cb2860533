import type { ClientHttp2Session } from 'node:http2'
import { Socket } from 'node:net'
import errors from 'undici/lib/core/errors.js'
import symbols from 'undici/lib/core/symbols.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Client from 'undici/lib/dispatcher/client.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import type { KeptConnections } from '../connections/kept-connections.ts'
import { type ResponseWatch, watchSession } from './http2-session.ts'
import { replaceQueue } from './request-queue.ts'

const { kHTTP2Session, kSize, kSocket } = symbols
const { InformationalError } = errors

/** One for all: to make an error, and its stack for Node, takes as long as to close a connection. */
const TOO_MANY_IDLE = new InformationalError('too many connections are idle')

export type UndiciAgent = import('undici').Agent

/** The options and listeners for the connections of an agent. */
export interface ConnectionWatch {
  /** Bounds their number. */
  readonly kept: KeptConnections
  /** Called with the number of bytes whenever a connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
  /** Called when the HTTP/2 of a server can't be read. */
  readonly onBroken: (origin: string, error: Error) => void
}

/** Opens an agent for servers that have chosen HTTP/2. */
export function openAgent(
  options: import('undici').Agent.Options,
  watch: ConnectionWatch,
): UndiciAgent {
  return new Agent({ ...options, factory: openPool })
    .on('connect', ({ origin }, dispatchers) => {
      watchConnection(clientOf(dispatchers), {
        ...watch,
        onBroken: (error) => watch.onBroken(origin, error),
      })
    })
    .on('disconnect', (_, dispatchers) => {
      // A client whose connection takes no further requests would wait for the end of those that it has.
      clientOf(dispatchers).pipelining = Number.POSITIVE_INFINITY
    })
    .on('connectionError', (_, dispatchers) => {
      // It would try again without a pause.
      clientOf(dispatchers).pipelining = 1
    })
}

function clientOf(dispatchers: readonly unknown[]): import('undici').Client {
  const client = dispatchers.at(-1)
  if (client instanceof Client) return client
  throw new Error('this version of undici has other clients')
}

function watchConnection(
  client: import('undici').Client,
  { kept, onRead, onBroken }: Omit<ConnectionWatch, 'onBroken'> & Pick<ResponseWatch, 'onBroken'>,
): void {
  const socket: unknown = Reflect.get(client, kSocket)
  const session: unknown = Reflect.get(client, kHTTP2Session)
  if (!(socket instanceof Socket) || !isSession(session)) {
    throw new Error('this version of undici has other sessions')
  }
  const connection = {
    get isIdle() {
      return Reflect.get(client, kSize) === 0
    },
    close: () => void socket.destroy(TOO_MANY_IDLE),
  }
  const served = () => kept.used(connection)
  served()
  socket.once('close', () => kept.closed(connection))
  watchSession(session, socket, { served, onRead, onBroken })
}

function openPool(origin: string | URL, options: object): InstanceType<typeof Pool> {
  const pool = new Pool(origin, options)
  replaceQueue(pool)
  return pool
}

function isSession(value: unknown): value is ClientHttp2Session {
  return isObject(value) && 'request' in value && 'goaway' in value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
