import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateGraph } from '../test/support/generated-graph.ts'
import { startGraph } from '../test/support/graph-server.ts'
import { tortureJob } from '../test/support/job-torture.ts'
import { RedisCluster } from '../test/support/redis-cluster.ts'
import { RedisServer } from '../test/support/redis-server.ts'
import { parseFlags } from './measure/flags.ts'

// Kills the processes of one job, one after the other. Redis is killed and restarted meanwhile; with --cluster, each
// time another one of three nodes.
const { cluster, seed, pages, hosts, processes, kills, restarts, pause } = parseFlags({
  ...{ processes: 4, pages: 3_000, hosts: 20, kills: 6, restarts: 2, pause: 3_000, seed: 1 },
  cluster: false,
})
const DEPTH = 6
const Kind = cluster ? RedisCluster : RedisServer
const redis = await Kind.start('--appendonly', 'yes')
const shape = { seed, pages, hosts }
const site = await startGraph(generateGraph({ ...shape, errors: 0.02 }), { latencySeed: 7 })
const folder = await mkdtemp(join(tmpdir(), 'orbweaver-torture-'))
const limits = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
try {
  const ordeal = await tortureJob({
    ...{ site, redis, folder, job: 'torture', depth: DEPTH, delay: 10 },
    args: [...site.seeds, ...limits, '--workers', '1', '--lease', '2s', '-q'],
    ...{ processes, kills, restarts, pause },
  })
  console.log(JSON.stringify({ ...shape, ...ordeal }))
} finally {
  await rm(folder, { recursive: true, force: true })
  await site.close()
  await redis.close()
}
