import { type SiteServer, startServer } from './site-server.ts'

/** A site that lets one request wait. */
interface SlowSite extends SiteServer {
  /** Ends the wait. */
  answer(): void
}

/** A page with two links, one of which is answered late to the first who asks. */
export async function startSlowSite(): Promise<SlowSite> {
  const answer = Promise.withResolvers<void>()
  let asked = 0
  const site = await startServer(async ({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    if (url === '/slow' && asked++ === 0) await answer.promise
    response.end(url === '/' ? '<a href=/quick>q</a><a href=/slow>s</a>' : 'page')
  })
  return Object.assign(site, { answer: answer.resolve })
}
