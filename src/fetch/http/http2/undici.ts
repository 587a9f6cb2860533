import type { ClientHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import symbols from 'undici/lib/core/symbols.js'
import Client from 'undici/lib/dispatcher/client.js'
import type { KeptConnections } from '../connections/kept-connections.ts'
import { Http2Connection } from './http2-connection.ts'
import { Http2Request } from './http2-request.ts'

/** One error for all connections, since creating an error with its stack takes as long as closing a connection. */
const TOO_MANY_IDLE = new Error('too many connections are idle')

export type UndiciClient = import('undici').Client

/** The options and listeners for the connections of a client. */
export interface ConnectionWatch {
  /** Bounds the connections that are kept alive. */
  readonly kept: KeptConnections
  /** Called with the number of bytes whenever a connection has read some. */
  readonly onRead: ((bytes: number) => void) | undefined
  /** Called when the server of a connection allows no stream. */
  readonly onUnserved: () => void
  /** Called when a connection has ended, or could not be opened. */
  readonly onClose: () => void
}

/** Opens a client of a server that has chosen HTTP/2. */
export function openClient(
  origin: string,
  options: import('undici').Client.Options,
  watch: ConnectionWatch,
): UndiciClient {
  // With less pipelining, a client whose connection accepts no further requests would wait for the end of its
  // current ones before it opens another connection.
  const client = new Client(origin, { ...options, pipelining: Number.POSITIVE_INFINITY })
  return client
    .on('connect', () => watchConnection(client, watch))
    .on('connectionError', () => {
      // Otherwise the client would try to connect again without a pause.
      client.pipelining = 1
      watch.onClose()
    })
}

/** Watches the connection that a client has just opened. */
function watchConnection(client: UndiciClient, watch: ConnectionWatch): void {
  const { kept, onRead, onUnserved, onClose } = watch
  const session: ClientHttp2Session = Reflect.get(client, symbols.kHTTP2Session)
  const socket: Socket = Reflect.get(client, symbols.kSocket)
  const keptConnection = {
    get isIdle() {
      return client.stats.size === 0
    },
    close: () => void socket.destroy(TOO_MANY_IDLE),
  }
  const connection = new Http2Connection(session, socket, {
    onOpen: (stream) => Http2Request.opened({ connection, stream }),
    onEnd: () => kept.used(keptConnection),
    onRead,
    onUnserved,
  })
  kept.used(keptConnection)
  socket.once('close', () => {
    kept.closed(keptConnection)
    onClose()
  })
}
