import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'

/** One request as the server received it. Times are in ms of `performance.now()`. */
interface SeenRequest {
  readonly method: string
  /** Path and query as sent, e.g. `/a?b=1`. */
  readonly url: string
  /** The Host header. */
  readonly host: string
  readonly headers: IncomingHttpHeaders
  /** The client's port, which identifies its connection. */
  readonly clientPort: number | undefined
  readonly startedAt: number
  /** When the response was written or the client closed the connection; undefined until then. */
  endedAt?: number
  /** When the response was ready to be sent. No client can have received it before, however busy this process is. */
  answeredAt?: number
}

/** The behavior of a server that is away: it doesn't listen, cuts connections, is silent, or responds 503. */
export type Absence = 'refuses' | 'resets' | 'is-silent' | 'is-busy'

export interface SiteServer {
  /** Origin without a slash at its end: `http://127.0.0.1:41234`. */
  readonly url: string
  /** Every request so far, robots.txt included, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Maximum number of requests in progress at the same time. */
  readonly maxConcurrent: number
  /** Lets the server go away, until it comes back. */
  leave(how?: Absence): void
  comeBack(): Promise<void>
  /** Stops listening and cuts every connection, idle or not. */
  close(): Promise<void>
}

/**
 * Returns the milliseconds from each response to the next request; negative if two requests overlapped. On a busy
 * machine they are never less than the client's pause: a request is recorded after it was sent, a response before it is
 * sent.
 */
export function gapsOf({ requests }: Pick<SiteServer, 'requests'>): number[] {
  return requests.slice(1).map(({ startedAt }, index) => {
    return startedAt - (requests[index]?.answeredAt ?? Number.POSITIVE_INFINITY)
  })
}

/** Maximum number of connections that wait to be accepted. */
const BACKLOG = 4096

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

class RecordingServer implements SiteServer {
  readonly requests: SeenRequest[] = []
  url = ''
  maxConcurrent = 0
  #running = 0
  #absence: Absence | undefined
  readonly #handler: Handler
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  constructor(handler: Handler) {
    this.#handler = handler
  }

  async listen(host: string): Promise<this> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#server.once('error', reject).listen(0, host, BACKLOG, resolve)
    await promise
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error(`no port on ${host}`)
    this.url = `http://${host}:${address.port}`
    return this
  }

  leave(how: Absence = 'refuses'): void {
    this.#absence = how
    if (how === 'refuses') void this.close()
  }

  async comeBack(): Promise<void> {
    const wasRefusing = this.#absence === 'refuses'
    this.#absence = undefined
    if (!wasRefusing) return
    const { hostname, port } = new URL(this.url)
    this.#server.listen(Number(port), hostname, BACKLOG)
    await once(this.#server, 'listening')
  }

  close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    this.#server.closeAllConnections()
    return promise
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = this.#record(request)
    // Node reports it only after it has written to the socket.
    const end = response.end.bind(response)
    response.end = (...rest: unknown[]) => {
      if (seen.answeredAt === undefined) this.#running--
      seen.answeredAt ??= performance.now()
      return Reflect.apply(end, response, rest)
    }
    response.once('close', () => {
      if (seen.answeredAt === undefined) this.#running--
      seen.endedAt = performance.now()
    })
    try {
      if (this.#absence === undefined) await this.#handler(request, response)
      else refuse(response, this.#absence)
    } catch {
      // A handler that fails cuts the connection. The client notices, and the server continues.
      response.destroy()
    }
  }

  #record(request: IncomingMessage): SeenRequest {
    this.maxConcurrent = Math.max(this.maxConcurrent, ++this.#running)
    const seen: SeenRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      host: request.headers.host ?? '',
      headers: request.headers,
      clientPort: request.socket.remotePort,
      startedAt: performance.now(),
    }
    this.requests.push(seen)
    return seen
  }
}

/** Responds like a server that listens, but is away. */
function refuse(response: ServerResponse, how: Absence): void {
  if (how === 'is-busy') response.writeHead(503).end()
  else if (how !== 'is-silent') response.destroy()
}

/**
 * Starts a real HTTP server on a free port of loopback, which records its requests. `host` may be any 127.x.y.z (Linux
 * responds on all of them), for a crawl of many hosts.
 */
export function startServer(
  handler: Handler,
  options: { readonly host?: string } = {},
): Promise<SiteServer> {
  return new RecordingServer(handler).listen(options.host ?? '127.0.0.1')
}
