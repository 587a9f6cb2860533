import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { freePort } from '../support/listen.ts'
import { serveRaw } from '../support/serve.ts'
import { gist } from './behaviour.ts'
import { bytes, redirect } from './send.ts'

/** The records of a seed on loopback that redirects to a port of loopback where nobody listens. */
async function redirected(...flags: readonly string[]) {
  const to = `http://127.0.0.1:${await freePort()}/`
  const server = await serveRaw(bytes(redirect(to)))
  const all = ['-w', '1', '--scope', 'any', '--ignore-robots', '--retries', '0', ...flags]
  const { visits, code } = await callCrawl([`${server.url}/`, ...all])
  return { code, records: visits.map(gist) }
}

it('goes to no private address that a site leads to', async () => {
  const { records, code } = await redirected()
  expect(records).toEqual([{ status: 302 }, { error: 'private-address' }])
  expect(code).toBe(0)
})

it('tells that nobody listens where a redirect leads', async () => {
  const { records } = await redirected('--allow-private')
  expect(records).toEqual([{ status: 302 }, { error: 'connection-refused' }])
})
