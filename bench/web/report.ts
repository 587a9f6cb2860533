import { spreadOf } from '../measure/statistics.ts'
import type { CrawlCosts } from './measured-crawl.ts'
import type { Difference } from './truth.ts'
import type { ServerReport } from './web-server.ts'

/** Prints the resources of a crawl's processes and of the server, the server's counts, and wrong outcomes. */
export function reportCrawl(
  crawls: readonly CrawlCosts[],
  server: ServerReport,
  differences: readonly Difference[],
): void {
  const sum = (value: (costs: CrawlCosts) => number) =>
    crawls.reduce((all, costs) => all + value(costs), 0)
  const seconds = Math.max(...crawls.map((costs) => costs.seconds))
  const each = (total: number) => `${((total * 1e6) / server.requests).toFixed(0)} µs`
  const rss = crawls.map(({ peakRss }) => (peakRss / 2 ** 20).toFixed(0))
  const perSecond = (server.requests / server.seconds).toFixed(0)
  const lines = [
    `${server.requests} requests to ${server.hosts} hosts in ${seconds.toFixed(1)} s, ${perSecond}/s while the server had any; ${(server.bytes / 1e6).toFixed(0)} MB; exit codes ${crawls.map(({ exitCode }) => exitCode)}`,
    `CPU per request: crawl ${each(sum(({ cpuSeconds }) => cpuSeconds))}, of which main thread ${each(sum(({ mainSeconds }) => mainSeconds))}; server ${each(server.cpuSeconds)}`,
    `cores busy: crawl ${(sum(({ cpuSeconds }) => cpuSeconds) / seconds).toFixed(2)}, server ${(server.cpuSeconds / seconds).toFixed(2)}`,
    `peak RSS: ${rss.join(', ')} MiB`,
    `connections: ${server.connections}, at most ${server.mostConnections} at a time; full handshakes: ${server.handshakes}, at most ${server.mostHandshakes} of a host, and ${server.resumed} resumed`,
    `a host's requests in flight: at most ${server.mostInFlight}; least pause after a response: ${server.leastGap.toFixed(0)} ms; asked by two processes at once: ${server.overlappingRequests}`,
    `304: ${server.unchanged}; requests at another host's address: ${server.misdirected}; queries for names: ${server.queries}`,
    ...(server.takeovers.length + server.orphans === 0 ? [] : [takeovers(server)]),
    differences.length === 0 ? 'truth: equal' : 'truth: differs',
    ...differences.map(
      ({ host, expected, got, count, example }) =>
        `  ${host}: expected ${expected}, got ${got}: ${count} times, such as ${example}`,
    ),
  ]
  console.log(lines.join('\n'))
}

function takeovers({ takeovers: times, orphans }: ServerReport): string {
  const { median, least, most } = spreadOf(times)
  const [middle, low, high] = [median, least, most].map((ms) => (ms / 1_000).toFixed(1))
  return `hosts of the killed process: requested again after ${middle} s (${low} to ${high} s) at ${times.length} hosts, not yet at ${orphans}`
}
