import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** What a server does that is not there: it doesn't listen, cuts connections, says nothing, or answers 503. */
type Absence = 'refuses' | 'resets' | 'is-silent' | 'is-busy'

/** A site that goes away and comes back. */
export interface VanishingSite {
  readonly url: string
  /** Paths that it was asked for, by method: `GET /1`. */
  readonly requests: readonly string[]
  goAway(how?: Absence): Promise<void>
  comeBack(): Promise<void>
}

/**
 * A site whose root links to so many pages, `/1` and on. Ends with the test.
 * @param onRequest called with the number of requests so far, before each is answered
 * @param ms that an answer takes
 */
export async function startVanishingSite(
  pages: number,
  onRequest: (site: VanishingSite, count: number) => void = () => {},
  { host = '127.0.0.1', ms = 2 } = {},
): Promise<VanishingSite> {
  const requests: string[] = []
  let absence: Absence | undefined
  const links = Array.from({ length: pages }, (_, page) => `<a href="/${page + 1}">x</a>`).join('')
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    onRequest(site, requests.length)
    setTimeout(() => answer(request.url ?? '', response), ms)
  })
  const answer = (path: string, response: ServerResponse) => {
    if (absence === 'resets') response.destroy()
    else if (absence === 'is-busy') response.writeHead(503).end()
    else if (path === '/robots.txt') response.writeHead(404).end()
    else if (absence === undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(path === '/' ? links : 'page')
    }
  }
  const listen = async (port: number) => {
    server.listen(port, host)
    await once(server, 'listening')
  }
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { port } = address
  const site: VanishingSite = {
    url: `http://${host}:${port}`,
    requests,
    async goAway(how = 'refuses') {
      absence = how
      if (how !== 'refuses') return
      server.close()
      server.closeAllConnections()
    },
    async comeBack() {
      const wasRefusing = absence === 'refuses'
      absence = undefined
      if (wasRefusing) await listen(port)
    },
  }
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return site
}
