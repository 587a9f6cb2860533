import { onTestFinished } from 'vitest'
import { type SiteServer, startServer } from '../support/site-server.ts'

/** Starts a site of tiny pages: `/1` leads to all others, two from each, up to `/<pages>`. */
export function startTree(pages: number, beforeAnswer = async () => {}): Promise<SiteServer> {
  return startServer(async (request, response) => {
    const page = Number(request.url?.slice(1))
    if (!Number.isInteger(page) || page < 1) {
      response.writeHead(404).end()
      return
    }
    await beforeAnswer()
    const next = [2 * page, 2 * page + 1].filter((number) => number <= pages)
    response.setHeader('content-type', 'text/html')
    response.end(next.map((number) => `<a href="/${number}">${number}</a>`).join(''))
  })
}

/** Starts a tree site that is closed at the end of the test. */
export async function serveTree(...args: Parameters<typeof startTree>): Promise<SiteServer> {
  const site = await startTree(...args)
  onTestFinished(() => site.close())
  return site
}
