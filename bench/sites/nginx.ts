import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSigned } from '../../test/support/certificates.ts'
import { listen } from '../../test/support/listen.ts'
import type { Site, SiteFiles } from './site.ts'
import { type SlowProxy, startSlowProxy } from './slow-proxy.ts'

const FLUSH_MS = 200
const STARTING_MS = 10_000

export interface SiteHost {
  readonly sites: readonly Site[]
  /** Path of the log of requests, which access-log.ts reads. */
  readonly accessLog: string
  /** Empties the log. */
  forget(): void
  /** Resolves when the requests so far are in the log. */
  logged(): Promise<void>
  close(): Promise<void>
}

/** Serves each site on free ports of loopback, with one nginx that has a single worker. */
export async function serveSites(folder: string, files: readonly SiteFiles[]): Promise<SiteHost> {
  const ports = await freePorts(2 * files.length)
  const listeners = files.map((site, place) => ({
    ...{ site, port: ports[2 * place] ?? 0, tlsPort: ports[2 * place + 1] ?? 0 },
  }))
  if (files.some(({ access }) => access === 'tls')) await writeCertificate(folder)
  const accessLog = join(folder, 'access.log')
  closeSync(openSync(accessLog, 'w'))
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, configuration(folder, accessLog, listeners))
  const nginx = spawn('nginx', ['-p', folder, '-e', 'error.log', '-c', config], {
    stdio: 'inherit',
  })
  const kill = () => nginx.kill('SIGTERM')
  process.once('exit', kill)
  const ended = once(nginx, 'close')
  const proxies: SlowProxy[] = []
  const sites = await Promise.all(listeners.map((each) => reachable(each, proxies)))
  await Promise.all(sites.map((site) => answering(site)))
  return {
    sites,
    accessLog,
    forget: () => truncateSync(accessLog),
    logged: () => settled(accessLog),
    close: async () => {
      for (const proxy of proxies) proxy.close()
      process.off('exit', kill)
      kill()
      await ended
    },
  }
}

/** A site, and the ports at which nginx serves it. */
interface Listener {
  readonly site: SiteFiles
  readonly port: number
  readonly tlsPort: number
}

async function reachable({ site, port, tlsPort }: Listener, proxies: SlowProxy[]): Promise<Site> {
  const direct = originOf(port)
  if (site.access === 'tls') return { ...site, direct, origin: `https://127.0.0.1:${tlsPort}` }
  if (site.access === undefined) return { ...site, direct, origin: direct }
  const proxy = await startSlowProxy(port)
  proxies.push(proxy)
  return { ...site, direct, origin: originOf(proxy.port) }
}

async function writeCertificate(folder: string): Promise<void> {
  const { cert, key } = await selfSigned()
  writeFileSync(join(folder, 'certificate.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
}

function configuration(folder: string, accessLog: string, listeners: readonly Listener[]): string {
  const servers = listeners.map(({ site: { root, access }, port, tlsPort }) => {
    const files = ['certificate', 'key'].map((name) => join(folder, `${name}.pem`))
    const tls = `listen 127.0.0.1:${tlsPort} ssl backlog=4096; ssl_certificate ${files[0]}; ssl_certificate_key ${files[1]};`
    return `server { listen 127.0.0.1:${port} backlog=4096; ${access === 'tls' ? tls : ''} root ${root}; }`
  })
  return `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')};
${process.getuid?.() === 0 ? 'user root;' : ''}
error_log error.log crit;
events { worker_connections 8192; }
http {
  types { text/html html htm; text/css css; text/javascript js; image/png png; text/plain txt; }
  default_type application/octet-stream;
  sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=12000;
  log_format requests '$server_port $request_method $status $sent_http_content_type $request_uri';
  access_log ${accessLog} requests buffer=256k flush=${FLUSH_MS}ms;
  ${servers.join('\n  ')}
}
`
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

async function answering({ direct, seed }: Site): Promise<void> {
  const deadline = performance.now() + STARTING_MS
  for (;;) {
    const response = await fetch(direct + seed).catch(() => undefined)
    await response?.bytes()
    if (response?.ok) return
    if (performance.now() > deadline) throw new Error(`nginx does not serve ${direct}${seed}`)
    await sleep(50)
  }
}

async function settled(file: string): Promise<void> {
  for (let before = -1, size = 0; before !== size; ) {
    before = size
    await sleep(2 * FLUSH_MS)
    size = (await stat(file)).size
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(servers.map((server) => listen(server)))
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
