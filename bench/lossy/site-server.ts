/**
 * The process that serves a site at port 80, and resolves the names of its hosts, in a network namespace of its own,
 * until its parent ends. Its argument is a `Site` as JSON. It replies to each message with its `Requests`.
 */
import { answerNames } from '../../test/support/dns-server.ts'
import { flatGraph } from '../sites/endless-graphs.ts'
import { startFastServer } from '../sites/fast-server.ts'
import { type Requests, SERVER_ADDRESS, type Site, urlOf } from './site.ts'

const ANY_ADDRESS = '0.0.0.0'
const site: Site = JSON.parse(process.argv[2] ?? '{}')
const { pages, bytes, idleMs } = site
const requested = new Set<string>()
let [count, pageCount, connections, first, last] = [0, 0, 0, 0, 0]

function noteRequest(path: string): void {
  count++
  last = performance.now()
  first ||= last
  // Requests for the robots.txt of each host don't count as pages.
  if (!path.startsWith('/page/')) return
  pageCount++
  requested.add(path)
}

await startFastServer({
  page: flatGraph(pages, bytes, (page) => urlOf(site, page)),
  onRequest: noteRequest,
  onConnection: () => connections++,
  ...(idleMs > 0 && { idleMs }),
  address: { host: ANY_ADDRESS, port: 80 },
})
const address = SERVER_ADDRESS.split('.').map(Number)
await answerNames(() => ({ A: [address] }), { address: ANY_ADDRESS, port: 53 })

process.on('message', () => {
  const repeated = pageCount - requested.size
  process.send?.({ count, ms: last - first, repeated, connections } satisfies Requests)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
