import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { freePort } from '../support/listen.ts'
import { serveRaw } from '../support/serve.ts'
import { gist } from './behaviour.ts'
import { bytes, redirect } from './send.ts'

/** Crawls a seed on loopback that redirects to a port of loopback on which nothing listens. Returns its records. */
async function redirected(...flags: readonly string[]) {
  const to = `http://127.0.0.1:${await freePort()}/`
  const server = await serveRaw(bytes(redirect(to)))
  const all = ['-w', '1', '--scope', 'any', '--ignore-robots', '--retries', '0', ...flags]
  const { visits, code } = await callCrawl([`${server.url}/`, ...all])
  return { code, records: visits.map(gist) }
}

it('a private address that a site redirects to is refused', async () => {
  const { records, code } = await redirected()
  expect(records).toEqual([{ status: 302 }, { error: 'private-address' }])
  expect(code).toBe(0)
})

it('a private address is refused with the same error before its robots.txt', async () => {
  const to = `http://127.0.0.1:${await freePort()}/`
  const site = await serveSite({ '/': `<a href="${to}">x</a>` })
  const { visits } = await callCrawl([`${site.url}/`, '--scope', 'any'])
  const message = '127.0.0.1 is not public; --allow-private allows requests to it'
  expect(visits[1]).toMatchObject({ url: to, error: { code: 'private-address', message } })
})

it('a private address in a redirect of robots.txt is reported as unreachable robots.txt', async () => {
  const to = `http://127.0.0.1:${await freePort()}/robots.txt`
  const server = await serveRaw(bytes(redirect(to)))
  const { visits } = await callCrawl([`${server.url}/`])
  const message = `${to}: 127.0.0.1 is not public; --allow-private allows requests to it`
  expect(visits).toMatchObject([{ error: { code: 'robots-unreachable', message } }])
})

it('a refused connection behind a redirect is reported with --allow-private', async () => {
  const { records } = await redirected('--allow-private')
  expect(records).toEqual([{ status: 302 }, { error: 'connection-refused' }])
})
