import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { selfSigned } from '../support/certificates.ts'
import { type RawServer, startRawServer } from '../support/raw-server.ts'
import { type CrawlRun, runCrawl } from '../support/run-cli.ts'
import { type Expected, gist } from './behaviour.ts'
import { bytes, page } from './send.ts'

const answer = bytes(page('ok'))
/** If this certificate is trusted, only its dates are invalid. */
const old = await selfSigned('127.0.0.1', -60_000)
const trusted = await selfSigned('other.test')

const SERVERS = {
  'self-signed': async () => startRawServer(answer, await selfSigned()),
  expired: () => startRawServer(answer, old),
  'for another name': () => startRawServer(answer, trusted),
  'silent at the handshake': () => startRawServer(answer),
}

const CASES: readonly (readonly [keyof typeof SERVERS, Expected['error'], message: RegExp])[] = [
  ['self-signed', 'tls-failure', /self-signed/],
  ['expired', 'tls-failure', /expired/],
  ['for another name', 'tls-failure', /does not match|altnames/],
  ['silent at the handshake', 'timeout', /5000 ms/],
]

describe('a crawl of servers with invalid certificates', () => {
  const servers = new Map<string, RawServer>()
  let folder: string
  let run: CrawlRun

  const seedOf = (name: string) => `${servers.get(name)?.url.replace('http:', 'https:')}/`
  const recordsOf = (name: string) => run.visits.filter(({ url }) => url === seedOf(name))

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
    const known = join(folder, 'known.pem')
    await writeFile(known, old.cert + trusted.cert)
    for (const [name, start] of Object.entries(SERVERS)) servers.set(name, await start())
    const seeds = [...servers.keys()].map(seedOf)
    run = await runCrawl(
      [...seeds, '-w', '2', '--retries', '0', '--timeout', '5s', '--ignore-robots'],
      {
        env: { NODE_EXTRA_CA_CERTS: known },
      },
    )
  })

  afterAll(async () => {
    for (const server of servers.values()) await server.close()
    await rm(folder, { recursive: true })
  })

  it.each(CASES)('fails: %s', (name, error, message) => {
    expect(recordsOf(name).map(gist)).toEqual([{ error }])
    expect(recordsOf(name)[0]?.error?.message).toMatch(message)
    // TLS failed before a request could be sent.
    expect(servers.get(name)?.heads).toEqual([])
  })

  it('reports them by its exit code, and in one line each', () => {
    expect(run.code).toBe(3)
    expect(run.stderr.match(/^{"level":60,.+"exitCode":3,"msg":"https:.+$/gm)).toHaveLength(
      CASES.length,
    )
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })

  it('accepts the self-signed one with --insecure', async () => {
    const seed = seedOf('self-signed')
    const { visits } = await callCrawl([seed, '--insecure', '--ignore-robots'])
    expect(visits.map(gist)).toEqual([{ status: 200 }])
  })
})
