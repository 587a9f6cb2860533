import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'

/** One request as the server met it; times in ms of `performance.now()`. */
interface SeenRequest {
  /** Path and query as sent, e.g. `/a?b=1`. */
  readonly url: string
  /** The Host header. */
  readonly host: string
  readonly headers: IncomingHttpHeaders
  readonly startedAt: number
  /** When the answer was written or the client went away; absent while it is being answered. */
  endedAt?: number
  /** When the answer was ready to be sent: no client can have had it before, however busy this process. */
  answeredAt?: number
}

export interface SiteServer {
  /** Origin without a slash at its end: `http://127.0.0.1:41234`. */
  readonly url: string
  /** Every request so far, robots.txt included, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** The most requests that were being answered at one moment. */
  readonly maxConcurrent: number
  /** Stops listening and cuts every connection, idle or not. */
  close(): Promise<void>
}

/**
 * Milliseconds from each answer to the next request: below 0 when two were under way. However busy a machine is,
 * they are never less than the client kept: a request is noted after it was sent, an answer before it is.
 */
export function gapsOf({ requests }: Pick<SiteServer, 'requests'>): number[] {
  return requests.slice(1).map(({ startedAt }, index) => {
    return startedAt - (requests[index]?.answeredAt ?? Number.POSITIVE_INFINITY)
  })
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

class RecordingServer implements SiteServer {
  readonly requests: SeenRequest[] = []
  url = ''
  maxConcurrent = 0
  #running = 0
  readonly #handler: Handler
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  constructor(handler: Handler) {
    this.#handler = handler
  }

  async listen(host: string): Promise<this> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#server.once('error', reject).listen(0, host, 4096, resolve)
    await promise
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error(`no port on ${host}`)
    this.url = `http://${host}:${address.port}`
    return this
  }

  close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    this.#server.closeAllConnections()
    return promise
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = this.#record(request)
    // Node tells of it only after it has written to the socket.
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
      await this.#handler(request, response)
    } catch {
      // A handler that fails cuts the connection: the client sees it, the server lives on.
      response.destroy()
    }
  }

  #record(request: IncomingMessage): SeenRequest {
    this.maxConcurrent = Math.max(this.maxConcurrent, ++this.#running)
    const seen: SeenRequest = {
      url: request.url ?? '',
      host: request.headers.host ?? '',
      headers: request.headers,
      startedAt: performance.now(),
    }
    this.requests.push(seen)
    return seen
  }
}

/**
 * Starts a real HTTP server on a free port of loopback, which records what it is asked for.
 * `host` may be any 127.x.y.z (Linux answers on all of them), for a crawl of many hosts.
 */
export function startServer(
  handler: Handler,
  options: { readonly host?: string } = {},
): Promise<SiteServer> {
  return new RecordingServer(handler).listen(options.host ?? '127.0.0.1')
}
