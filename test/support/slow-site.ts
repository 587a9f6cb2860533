import { type SiteServer, startServer } from './site-server.ts'

/** A site that delays one response. */
interface SlowSite extends SiteServer {
  /** Sends the delayed response. */
  answer(): void
}

/** Starts a site with two links, one of which responds late to the first request. */
export async function startSlowSite(): Promise<SlowSite> {
  const answer = Promise.withResolvers<void>()
  let requested = 0
  const site = await startServer(async ({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    if (url === '/slow' && requested++ === 0) await answer.promise
    response.end(url === '/' ? '<a href=/quick>q</a><a href=/slow>s</a>' : 'page')
  })
  return Object.assign(site, { answer: answer.resolve })
}
