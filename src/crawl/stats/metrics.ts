import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { CrawlerError, messageOf } from '../../errors.ts'
import type { HostWait } from '../../frontier/politeness/host-waits.ts'
import { metricsText } from './metrics-text.ts'
import type { Stats } from './stats.ts'

/** What is told of a crawl. */
interface MetricsSource {
  stats(): Stats
  hostWaits(): readonly HostWait[]
}

/** Where a crawl can be watched while it goes on. */
export interface Metrics {
  /** From now on it tells of this crawl. */
  watch(crawl: MetricsSource): void
  close(): void
}

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** Milliseconds between two looks at the event loop. */
const RESOLUTION_MS = 20

/**
 * Serves `/metrics` for Prometheus on 127.0.0.1.
 * @throws CrawlerError('usage') when the port can't be opened
 */
export async function openMetrics(port: number): Promise<Metrics> {
  const { createServer } = await import('node:http')
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let watched: MetricsSource | undefined
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
    } else if (watched === undefined) {
      response.writeHead(503).end()
    } else {
      // What it measures is how late a timer is, with the time that it was set for.
      const late = (nanoseconds: number) =>
        Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3) || 0
      const delay = { mean: late(delays.mean), max: late(delays.max) }
      const text = metricsText(watched.stats(), watched.hostWaits(), delay)
      delays.reset()
      response.writeHead(200, { 'content-type': TYPE }).end(text)
    }
  })
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (cause) {
    const reason = messageOf(cause)
    throw new CrawlerError('usage', `--metrics: port ${port} can't be opened: ${reason}`, { cause })
  }
  delays.enable()
  server.unref()
  return {
    watch: (crawl) => {
      watched = crawl
    },
    close: () => {
      delays.disable()
      server.close()
      server.closeAllConnections()
    },
  }
}
