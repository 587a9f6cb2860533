import { expect, it } from 'vitest'
import { serveHttp2 } from '../support/http2-server.ts'
import { runAndLog } from './run-and-log.ts'

const PAGES = 40
const PER_HOST = 3

it('a crawl over HTTP/2 has --per-host streams open in total, on one connection per worker', async () => {
  let [open, most] = [0, 0]
  const links = Array.from({ length: PAGES }, (_, page) => `<a href="/${page}">x</a>`).join('')
  const server = await serveHttp2((stream, path) => {
    most = Math.max(most, ++open)
    stream.once('close', () => open--)
    setTimeout(() => {
      if (stream.destroyed) return
      stream.respond({ ':status': path === '/robots.txt' ? 404 : 200, 'content-type': 'text/html' })
      stream.end(path === '/' ? links : 'page')
    }, 5)
  })
  const { visits } = await runAndLog({
    ...{ seeds: [`${server.url}/`], insecure: true },
    ...{ workers: 2, concurrency: 16, perHost: PER_HOST },
  })
  expect(visits.map(({ status }) => status)).toEqual(Array(PAGES + 1).fill(200))
  expect(most).toBe(PER_HOST)
  expect(server.sessions.size).toBeLessThanOrEqual(2)
})

it('a page is requested again, as another attempt, after its server answered ENHANCE_YOUR_CALM', async () => {
  const ENHANCE_YOUR_CALM = 11
  let calmed = false
  const server = await serveHttp2((stream, path) => {
    if (path === '/a' && !calmed) {
      calmed = true
      stream.session?.goaway(ENHANCE_YOUR_CALM)
      return
    }
    stream.respond({ ':status': path === '/robots.txt' ? 404 : 200, 'content-type': 'text/html' })
    stream.end('<a href="/a">a</a>')
  })
  const { visits } = await runAndLog({ seeds: [`${server.url}/`], insecure: true, workers: 1 })
  expect(visits.map(({ status, attempts }) => [status, attempts])).toEqual([
    [200, 1],
    [200, 2],
  ])
})
