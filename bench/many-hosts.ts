import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { zstdCompressSync } from 'node:zlib'
import { selfSigned } from '../test/support/certificates.ts'
import { parseFlags } from './measure/flags.ts'
import { sampleOf } from './measure/growth.ts'
import { startMeasured } from './web/measured-crawl.ts'

// node bench/many-hosts.ts [--hosts 3000] [--pages 7] [--tls | --h2] [--latency 50] [--port 8200] [--size 7000] [--links 0] [-- flags of crawl]
// Crawls many hosts on 127.2.0.0/16 that keep connections alive. Measures the connections and files that are open at a
// time, the memory, the CPU time, and the number of full TLS handshakes. It needs `npm run build`.

const { positionals, hosts, pages, latency, port, size, links, tls, h2, serve } = parseFlags(
  {
    ...{ hosts: 3_000, pages: 7, latency: 50, port: 8_200, size: 7_000, links: 0 },
    ...{ tls: false, h2: false, serve: false },
  },
  true,
)
const isSecure = tls || h2
const KEEP_ALIVE_MS = 600_000
const SAMPLE_MS = 50

const addressOf = (host: number) => `127.2.${host >> 8}.${host & 255}`

if (serve) await serveHosts()
else await measure()

async function serveHosts(): Promise<void> {
  const counts = { open: 0, mostOpen: 0, connections: 0, resumed: 0, requests: 0 }
  const text = 'x'.repeat(size) + knownLinks()
  const children = Array.from({ length: pages - 1 }, (_, n) => `<a href="/${n + 1}">${n}</a>`).join(
    '',
  )
  const listener: RequestListener = ({ url }, response) => {
    counts.requests++
    const body = url === '/' ? children + text : text
    setTimeout(() => {
      if (url === '/robots.txt') response.writeHead(404)
      else response.setHeader('content-type', 'text/html')
      response.end(url === '/robots.txt' ? '' : body)
    }, latency)
  }
  const certificate = isSecure ? await selfSigned() : undefined
  for (let host = 0; host < hosts; host++) {
    const options = { ...certificate, keepAliveTimeout: KEEP_ALIVE_MS }
    const server = h2
      ? createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) =>
          Reflect.apply(listener, undefined, [request, response]),
        )
      : tls
        ? createTlsServer(options, listener)
        : createServer(options, listener)
    server.on(isSecure ? 'secureConnection' : 'connection', (socket) => {
      counts.connections++
      counts.mostOpen = Math.max(counts.mostOpen, ++counts.open)
      if (socket instanceof TLSSocket && socket.isSessionReused()) counts.resumed++
      socket.on('close', () => counts.open--)
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(port, addressOf(host), resolve))
  }
  process.on('message', () => process.send?.({ ...counts, cpu: cpuSeconds() }))
  process.send?.(counts)
}

/** Returns `--links` links to pages of the same host, which are the same on all pages, as in menus. */
function knownLinks(): string {
  const all = Array.from({ length: links }, (_, n) => `<li><a href="/${n % pages}#${n}">${n}</a>`)
  return all.join('')
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'many-hosts-'))
  const own = process.argv.slice(2, process.argv.indexOf('--') + 1 || undefined)
  const server = fork(import.meta.filename, ['--serve', ...own.filter((arg) => arg !== '--')])
  await message(server)
  const scheme = isSecure ? 'https' : 'http'
  const seeds = Array.from(
    { length: hosts },
    (_, host) => `${scheme}://${addressOf(host)}:${port}/`,
  )
  writeFileSync(join(folder, 'seeds'), seeds.join('\n'))
  const crawl = await measuredCrawl(folder)
  server.send('counts')
  const counts = await message(server)
  process.stdout.write(`${JSON.stringify({ ...crawl, server: counts }, null, 1)}\n`)
  server.kill()
  rmSync(folder, { recursive: true })
}

function message(server: ReturnType<typeof fork>): Promise<unknown> {
  return new Promise((resolve) => server.once('message', resolve))
}

/** Crawls, and returns the resources that the process used. */
async function measuredCrawl(folder: string) {
  const { pid, files, ended } = startMeasured(folder, 'visits', [
    ...['--seeds', join(folder, 'seeds'), '-q', '-w', '2', '-c', '64'],
    ...[...(isSecure ? ['--insecure'] : []), ...positionals],
  ])
  const most = { sockets: 0, files: 0 }
  const timer = setInterval(() => {
    try {
      const { sockets, handles } = sampleOf(pid)
      most.sockets = Math.max(most.sockets, sockets)
      most.files = Math.max(most.files, handles)
    } catch {
      // The process has ended.
    }
  }, SAMPLE_MS)
  const { seconds, cpuSeconds, mainSeconds, peakRss } = await ended
  clearInterval(timer)
  const output = readFileSync(files.visits)
  const records = output.toString().split('\n').length - 1
  const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
  return {
    outputBytes: { each: output.length / records, zstd: zstdCompressSync(output).length / records },
    ...{ records, seconds: rounded(seconds, 1), cpuSeconds: rounded(cpuSeconds, 2) },
    mainThreadSeconds: rounded(mainSeconds, 2),
    most: { ...most, rssMB: rounded(peakRss / 1e6, 0) },
    secondsPer1000: rounded((cpuSeconds * 1_000) / records, 3),
  }
}
