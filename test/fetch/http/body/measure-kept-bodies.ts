import { SeedHosts } from '../../../../src/fetch/addresses/seed-hosts.ts'
import { openFetcher } from '../../../../src/fetch/open-fetcher.ts'
import { collect } from '../../../../src/runtime/collect-garbage.ts'
import { startRawServer } from '../../../support/raw-server.ts'

// Prints the share of received bytes that young-generation collections leave in memory. It runs in a process of its own,
// since in the large heap of the tests V8 may collect otherwise.

const CONNECTIONS = 16
const ROUNDS = 10
const BODY = 'x'.repeat(30_000)
const RESPONSE = `HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`

const server = await startRawServer((socket) => {
  setTimeout(() => socket.write(RESPONSE), 5)
})
const fetcher = openFetcher({
  ...{ concurrency: CONNECTIONS, timeout: 60_000, connectTimeout: 60_000, userAgent: 'test' },
  ...{ headers: {}, headerOrigins: [], authorizations: {}, insecure: false, allowPrivate: true },
  ...{ seedHosts: SeedHosts.allocate([]), bodySlots: [] },
})

async function getAll(): Promise<void> {
  const pages = Array.from({ length: CONNECTIONS }, (_, page) => `${server.url}/${page}`)
  await Promise.all(pages.map((url) => getOne(url)))
  // Objects that survive two collections are old.
  for (let time = 0; time < 3; time++) collect({ type: 'minor' })
}

async function getOne(url: string): Promise<void> {
  await fetcher.get({ url, maxBody: 1e6, keepBody: true })
}

await getAll()
collect({ type: 'major' })
const before = process.memoryUsage().arrayBuffers
for (let round = 0; round < ROUNDS; round++) await getAll()
const kept = process.memoryUsage().arrayBuffers - before
console.log(kept / (ROUNDS * CONNECTIONS * BODY.length))
await fetcher.close()
server.close()
