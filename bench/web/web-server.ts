/** The process that serves a generated web, and resolves its names; see `ServedWeb`. */
import { once } from 'node:events'
import { selfSigned } from '../../test/support/certificates.ts'
import { cpuSince } from '../measure/cpu-time.ts'
import { GeneratedWeb, type WebOptions } from './generated-web.ts'
import { HostLedger, type ServerCounts } from './host-ledger.ts'
import { http1Server } from './http1-server.ts'
import { http2Server } from './http2-server.ts'
import { startNameServer } from './name-server.ts'
import { Responses } from './responses.ts'
import type { Coding } from './texts.ts'

export interface ServerOptions {
  readonly web: WebOptions
  readonly protocol: 'plain' | 'tls' | 'h2'
  readonly coding: Coding | 'mixed'
  /** Bytes of the text of each page; by default pages differ. */
  readonly size?: number | undefined
}

/** A command to the process: to report, to prepare for another crawl, or to kill a process of the crawl. */
export type Command =
  | { readonly type: 'report' }
  | { readonly type: 'next crawl'; readonly crawl: number }
  | { readonly type: 'kill'; readonly pid: number; readonly agent: string }

export interface ServerReport extends ServerCounts {
  readonly cpuSeconds: number
  /** Number of DNS queries. */
  readonly queries: number
  readonly takeovers: readonly number[]
  readonly orphans: number
}

const options: ServerOptions = JSON.parse(process.argv[2] ?? '{}')
const web = new GeneratedWeb(options.web)
const ledger = new HostLedger(options.web.hosts)
const responses = new Responses(web, options.coding, options.size)
const serving = { web, responses, ledger }
const queries = await startNameServer(web)
const certificate = options.protocol === 'plain' ? undefined : await selfSigned('www.s0.test')
const server =
  options.protocol === 'h2'
    ? http2Server(serving, certificate ?? {})
    : http1Server(serving, certificate)
const port = options.protocol === 'plain' ? 80 : 443
server.listen({ host: '0.0.0.0', port, backlog: 4_096 })
await once(server, 'listening')
let before = process.cpuUsage()

function report(): ServerReport {
  return {
    ...ledger.counts,
    ...{ cpuSeconds: cpuSince(before) / 1e6, queries: queries() },
    ...{ takeovers: ledger.takeovers, orphans: ledger.orphans },
  }
}

process.on('message', (command: Command) => {
  if (command.type === 'kill') {
    process.kill(command.pid, 'SIGKILL')
    ledger.killed(command.agent)
  }
  if (command.type === 'next crawl') {
    responses.crawl = command.crawl
    ledger.forget()
    before = process.cpuUsage()
  }
  process.send?.(report())
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
