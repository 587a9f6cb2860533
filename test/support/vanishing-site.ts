import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type SiteServer, startServer } from './site-server.ts'

/**
 * Starts a site whose root links to `pages` pages, `/1` and on, and that may go away and come back. It is closed with
 * the test.
 * @param onRequest called with the number of requests so far, before each response, which waits for it
 * @param ms duration of a response
 */
export async function startVanishingSite(
  pages: number,
  onRequest: (site: SiteServer, count: number) => unknown = () => {},
  { host = '127.0.0.1', ms = 2 } = {},
): Promise<SiteServer> {
  const links = Array.from({ length: pages }, (_, page) => `<a href="/${page + 1}">x</a>`).join('')
  const site = await startServer(
    async ({ url }, response) => {
      await onRequest(site, site.requests.length)
      await sleep(ms)
      if (url === '/robots.txt') response.writeHead(404).end()
      else {
        response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/' ? links : 'page')
      }
    },
    { host },
  )
  onTestFinished(() => site.close())
  return site
}
