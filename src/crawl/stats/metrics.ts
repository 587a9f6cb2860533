import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type ListenAddress, parseListenAddress } from '../../config/listen-address.ts'
import { CrawlerError, messageOf } from '../../errors.ts'
import type { HostWait } from '../../frontier/hosts/sleepers.ts'
import { metricsText } from './metrics-text.ts'
import type { Stats } from './stats.ts'

/** The crawl whose metrics are served. */
interface MetricsSource {
  stats(): Stats
  hostWaits(): readonly HostWait[]
}

interface Metrics {
  /** Serves the metrics of this crawl from now on. */
  watch(crawl: MetricsSource): void
  close(): void
}

/** The path, with or without the parameters that a scraper adds. */
const PATH = /^\/metrics(?:\?|$)/
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** Milliseconds between two measurements of the event loop. */
const RESOLUTION_MS = 20

/**
 * Serves `/metrics` for Prometheus.
 * @param at the port, or an address and a port; undefined serves nothing
 * @throws CrawlerError('usage') when the port can't be opened
 */
export async function openMetrics(at: string | number | undefined): Promise<Metrics | undefined> {
  const listened = parseListenAddress(at ?? '')
  return listened && serveMetrics(listened)
}

async function serveMetrics({ address, port }: ListenAddress): Promise<Metrics> {
  const { createServer } = await import('node:http')
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let source: MetricsSource | undefined
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    if ((method !== 'GET' && method !== 'HEAD') || !PATH.test(url)) {
      response.writeHead(404).end()
    } else if (source === undefined) {
      response.writeHead(503).end()
    } else {
      const delay = { mean: secondsLate(delays.mean), max: secondsLate(delays.max) }
      const text = metricsText(source.stats(), source.hostWaits(), delay)
      delays.reset()
      response.writeHead(200, { 'content-type': TYPE }).end(text)
    }
  })
  try {
    await once(server.listen(port, address), 'listening')
  } catch (cause) {
    const reason = messageOf(cause)
    throw new CrawlerError('usage', `--metrics: port ${port} can't be opened: ${reason}`, { cause })
  }
  delays.enable()
  server.unref()
  return {
    watch: (crawl) => {
      source = crawl
    },
    close: () => {
      delays.disable()
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Returns the seconds by which a timer of the monitor was late; 0 before the first measurement.
 * @param nanoseconds time between two timers, which includes the interval that they were set to
 */
function secondsLate(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3) || 0
}
