import { fork, spawn } from 'node:child_process'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { parseArgs } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import { selfSigned } from '../test/support/certificates.ts'

// node bench/many-hosts.ts [--hosts 3000] [--pages 7] [--tls | --h2] [--latency 50] [--port 8200] [--size 7000] [--links 0] [-- flags of crawl]
// Crawls many hosts on 127.2.0.0/16 that keep connections alive. Measures the connections and files that are open at a
// time, the memory, the CPU time, and the number of full TLS handshakes. It needs `npm run build`.

const { values, positionals } = parseArgs({
  options: {
    hosts: { type: 'string', default: '3000' },
    pages: { type: 'string', default: '7' },
    latency: { type: 'string', default: '50' },
    port: { type: 'string', default: '8200' },
    size: { type: 'string', default: '7000' },
    links: { type: 'string', default: '0' },
    tls: { type: 'boolean', default: false },
    h2: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const hosts = Number(values.hosts)
const pages = Number(values.pages)
const latency = Number(values.latency)
const isSecure = values.tls || values.h2
const port = Number(values.port)
const KEEP_ALIVE_MS = 600_000
const SAMPLE_MS = 50

const addressOf = (host: number) => `127.2.${host >> 8}.${host & 255}`

if (values.serve) await serve()
else await measure()

async function serve(): Promise<void> {
  const counts = { open: 0, mostOpen: 0, connections: 0, resumed: 0, requests: 0 }
  const text = 'x'.repeat(Number(values.size)) + knownLinks()
  const links = Array.from({ length: pages - 1 }, (_, n) => `<a href="/${n + 1}">${n}</a>`).join('')
  const listener: RequestListener = ({ url }, response) => {
    counts.requests++
    const body = url === '/' ? links + text : text
    setTimeout(() => {
      if (url === '/robots.txt') response.writeHead(404)
      else response.setHeader('content-type', 'text/html')
      response.end(url === '/robots.txt' ? '' : body)
    }, latency)
  }
  const certificate = isSecure ? await selfSigned() : undefined
  for (let host = 0; host < hosts; host++) {
    const options = { ...certificate, keepAliveTimeout: KEEP_ALIVE_MS }
    const server = values.h2
      ? createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) =>
          Reflect.apply(listener, undefined, [request, response]),
        )
      : values.tls
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
  const number = Number(values.links)
  return Array.from({ length: number }, (_, n) => `<li><a href="/${n % pages}#${n}">${n}</a>`).join(
    '',
  )
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
  const crawl = await timed(folder, positionals)
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
async function timed(folder: string, flags: readonly string[]) {
  const args = ['bin/crawl.js', '--seeds', join(folder, 'seeds'), '-o', join(folder, 'out.jsonl')]
  const fixed = ['-q', '-w', '2', '-c', '64', ...(isSecure ? ['--insecure'] : []), ...flags]
  const started = performance.now()
  const child = spawn(process.execPath, [...args, ...fixed], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const most = { sockets: 0, files: 0, rssMB: 0 }
  let [ticks, mainTicks] = [0, 0]
  const timer = setInterval(() => {
    try {
      const base = `/proc/${child.pid}`
      const files = readdirSync(`${base}/fd`).map((fd) => readlink(`${base}/fd/${fd}`))
      const sockets = files.filter((name) => name.startsWith('socket:')).length
      most.files = Math.max(most.files, files.length)
      most.sockets = Math.max(most.sockets, sockets)
      const status = readFileSync(`${base}/status`, 'utf8')
      most.rssMB = Math.max(
        most.rssMB,
        Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000),
      )
      ticks = ticksIn(`${base}/stat`)
      mainTicks = ticksIn(`${base}/task/${child.pid}/stat`)
    } catch {
      // The process has ended.
    }
  }, SAMPLE_MS)
  await new Promise((resolve) => child.once('exit', resolve))
  clearInterval(timer)
  const seconds = (performance.now() - started) / 1_000
  const output = readFileSync(join(folder, 'out.jsonl'))
  const records = output.toString().split('\n').length - 1
  const outputBytes = {
    each: output.length / records,
    zstd: zstdCompressSync(output).length / records,
  }
  return {
    outputBytes,
    ...{
      records,
      seconds: Number(seconds.toFixed(1)),
      cpuSeconds: ticks / 100,
      mainThreadSeconds: mainTicks / 100,
    },
    ...{ most, secondsPer1000: Number(((ticks * 10) / records).toFixed(3)) },
  }
}

/** Returns the CPU time in a file such as /proc/self/stat, in hundredths of a second. */
function ticksIn(file: string): number {
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

function readlink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
