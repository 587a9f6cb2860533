import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type SiteServer, startServer } from './site-server.ts'

/** The response for a path, which may be changed between two crawls. */
export interface ChangingPage {
  readonly body?: string
  readonly type?: string
  readonly etag?: string
  readonly lastModified?: string
  readonly status?: number
  readonly location?: string
}

export interface ChangingSite {
  readonly server: SiteServer
  /** Pages by path. Others are missing. */
  readonly pages: Map<string, ChangingPage>
  /** Paths whose body was sent since the last call, in alphabetical order. */
  takeBodies(): string[]
  /** Conditions that were sent since the last call, by path. */
  takeConditions(): Record<string, Record<string, string>>
}

/**
 * Starts a site that implements conditional requests (RFC 9110, 13.2.2), and closes it with the test.
 * @param latency in milliseconds
 */
export async function startChangingSite(
  pages: Readonly<Record<string, ChangingPage>>,
  latency = 0,
): Promise<ChangingSite> {
  const current = new Map(Object.entries(pages))
  let bodies: string[] = []
  const server = await startServer(async (request, response) => {
    await sleep(latency)
    if (answer(current.get(request.url ?? ''), request, response)) bodies.push(request.url ?? '')
  })
  onTestFinished(() => server.close())
  let looked = 0
  return {
    server,
    pages: current,
    takeBodies() {
      const taken = bodies.toSorted()
      bodies = []
      return taken
    },
    takeConditions() {
      const requests = server.requests.slice(looked)
      looked = server.requests.length
      return Object.fromEntries(requests.map((each) => [each.url, conditionsOf(each.headers)]))
    },
  }
}

/** Sends a response. Returns true if that has a body. */
function answer(
  page: ChangingPage | undefined,
  { headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (page === undefined) {
    response.writeHead(404).end('no such page')
    return false
  }
  const { body = '', type = 'text/html', etag, lastModified, status = 200, location } = page
  if (etag !== undefined) response.setHeader('etag', etag)
  if (lastModified !== undefined) response.setHeader('last-modified', lastModified)
  if (location !== undefined) response.setHeader('location', location)
  const requested = headers['if-none-match']
  const since = headers['if-modified-since']
  const isSame =
    requested === undefined ? since !== undefined && since === lastModified : requested === etag
  if (isSame) response.writeHead(304).end()
  else response.writeHead(status, { 'content-type': type }).end(body)
  return !isSame
}

function conditionsOf(headers: IncomingMessage['headers']): Record<string, string> {
  const names = ['if-none-match', 'if-modified-since']
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}
