/**
 * Measures how soon other processes request the hosts of a killed process, by the logs of the servers. A process of a
 * job leases its share of the hosts, is stopped for half of a lease, runs for another half, and is killed. Times are in
 * leases, minus one pause between two requests to a host.
 *
 *   node bench/redis-takeover.ts [--hosts 300] [--survivors 1] [--lease 2000] [--delay 500] [--latency 20]
 *     [--concurrency 64] [--runs 3]
 *
 * With few requests at a time (`--concurrency 8 --delay 0 --latency 100`), the survivors already have more hosts than
 * they can serve when the process dies.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisServer } from '../test/support/redis-server.ts'
import { freshName } from '../test/support/redis-setups.ts'
import { measureTakeover } from '../test/support/takeover.ts'
import { parseFlags } from './measure/flags.ts'
import { spreadOf } from './measure/statistics.ts'

const { hosts, survivors, lease, delay, latency, concurrency, runs } = parseFlags({
  ...{ hosts: 300, survivors: 1, lease: 2_000, delay: 500, latency: 20, concurrency: 64, runs: 3 },
})
const redis = await RedisServer.start('--appendonly', 'yes')
const folder = await mkdtemp(join(tmpdir(), 'orbweaver-takeover-'))
try {
  for (let run = 0; run < runs; run++) {
    const {
      hosts: taken,
      waits,
      takenFromSlow,
      overlappingRequests,
    } = await measureTakeover({
      ...{ redis, folder, job: freshName(), lease, delay },
      ...{ hosts, pages: 400, survivors, latency, concurrency },
    })
    const { median, least, most } = spreadOf(waits.map((wait) => (wait - delay) / lease))
    console.log(
      `${taken} hosts requested again after ${median.toFixed(2)} leases (${least.toFixed(2)} to ${most.toFixed(2)}); ` +
        `${takenFromSlow} were taken while their process was stopped for half a lease; requests while another process had one in flight: ${overlappingRequests}`,
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
  await redis.close()
}
