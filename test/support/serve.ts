import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { type RawServer, startRawServer } from './raw-server.ts'
import { type SiteServer, startServer } from './site-server.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Starts a site that is closed with the test. */
export async function serve(handler: Handler, host = '127.0.0.1'): Promise<SiteServer> {
  const answer = async (...args: Parameters<Handler>) => void (await handler(...args))
  const server = await startServer(answer, { host })
  onTestFinished(() => server.close())
  return server
}

/** Starts a server of bytes that is closed with the test. */
export async function serveRaw(...args: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(...args)
  onTestFinished(() => server.close())
  return server
}
