/**
 * Crawls a generated web with up to a million hosts, in a network of its own that has only loopback. Measures the cost
 * of a page for the crawl and for the server, and checks the outcome of each URL. It needs root, for the network, and
 * `npm run build`.
 *
 *   node bench/web.ts [--hosts 2000] [--pages 21] [--links 30] [--latency 50] [--size 7000] [--no-broken] [--seed 1]
 *     [--protocol plain|tls|h2] [--coding identity|gzip|br|zstd|mixed] [--seeds 10] [--crawls 1]
 *     [--processes 1,2,4 [--kill]] [-- flags of crawl]
 *
 * Without `--latency` and `--size`, hosts and pages differ as on the web. With `--crawls 2`, pages are visited again,
 * after a tenth of them has changed. `--processes` crawls over Redis with these numbers of processes in turn, each of
 * one worker. With `--kill`, one of them is killed during the crawl.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { oneOf } from './measure/one-of.ts'
import { crawlAsJob } from './web/crawl-as-job.ts'
import { enterLoopbackNetwork } from './web/loopback-network.ts'
import { startMeasured } from './web/measured-crawl.ts'
import { NAME_SERVER } from './web/name-server.ts'
import { reportCrawl } from './web/report.ts'
import { ServedWeb } from './web/served-web.ts'
import { CODINGS } from './web/texts.ts'

const { values, positionals } = parseArgs({
  options: {
    hosts: { type: 'string', default: '2000' },
    pages: { type: 'string', default: '21' },
    links: { type: 'string', default: '30' },
    latency: { type: 'string' },
    size: { type: 'string' },
    broken: { type: 'boolean', default: true },
    seed: { type: 'string', default: '1' },
    protocol: { type: 'string', default: 'plain' },
    coding: { type: 'string', default: 'identity' },
    seeds: { type: 'string', default: '10' },
    crawls: { type: 'string', default: '1' },
    processes: { type: 'string' },
    kill: { type: 'boolean', default: false },
  },
  allowPositionals: true,
  allowNegative: true,
})

const optional = (value: string | undefined) => (value === undefined ? undefined : Number(value))
const protocol = oneOf(['plain', 'tls', 'h2'], values.protocol)
const coding = oneOf([...CODINGS, 'mixed'], values.coding)
const options = {
  web: {
    ...{ seed: Number(values.seed), hosts: Number(values.hosts), pages: Number(values.pages) },
    ...{ links: Number(values.links), latency: optional(values.latency), broken: values.broken },
    scheme: protocol === 'plain' ? ('http' as const) : ('https' as const),
  },
  ...{ protocol, coding, size: optional(values.size) },
}

await enterLoopbackNetwork(NAME_SERVER)
const folder = mkdtempSync(join(tmpdir(), 'bench-web-'))
const served = await ServedWeb.start(options, folder, Number(values.seeds))
const { truth } = served
console.log(`${truth.pages} pages; ${truth.reached} URLs to reach, of which ${truth.working} work`)
try {
  if (values.processes === undefined) await crawl()
  else
    await crawlAsJob(
      served,
      folder,
      values.processes.split(',').map(Number),
      values.kill,
      positionals,
    )
} finally {
  served.close()
  rmSync(folder, { recursive: true })
}

async function crawl(): Promise<void> {
  const crawls = Number(values.crawls)
  const again = ['--state', join(folder, 'state'), '--revisit-after', '1ms']
  const flags = ['-w', '2', '-c', '64', '--timeout', '5s', ...(crawls > 1 ? again : [])]
  for (let number = 0; number < crawls; number++) {
    await served.ask({ type: 'next crawl', crawl: number })
    const { files, ended } = startMeasured(folder, 'visits', [
      ...served.flags,
      ...flags,
      ...positionals,
    ])
    const costs = await ended
    reportCrawl([costs], await served.ask({ type: 'report' }), await truth.compare([files], number))
  }
}
