import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateGraph } from '../test/support/generated-graph.ts'
import { startGraph } from '../test/support/graph-server.ts'
import { tortureJob } from '../test/support/job-torture.ts'
import { RedisCluster } from '../test/support/redis-cluster.ts'
import { RedisServer } from '../test/support/redis-server.ts'

// Kills the processes of one job, one after the other. Redis is killed and restarted meanwhile; with --cluster, each
// time another one of three nodes.
const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '4' },
    pages: { type: 'string', default: '3000' },
    hosts: { type: 'string', default: '20' },
    kills: { type: 'string', default: '6' },
    restarts: { type: 'string', default: '2' },
    pause: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    cluster: { type: 'boolean', default: false },
  },
})
const DEPTH = 6
const Kind = values.cluster ? RedisCluster : RedisServer
const redis = await Kind.start('--appendonly', 'yes')
const shape = {
  seed: Number(values.seed),
  pages: Number(values.pages),
  hosts: Number(values.hosts),
}
const site = await startGraph(generateGraph({ ...shape, errors: 0.02 }), { latencySeed: 7 })
const folder = await mkdtemp(join(tmpdir(), 'orbweaver-torture-'))
const limits = ['--depth', `${DEPTH}`, '--scope', 'any', '--allow-private', '--retries', '0']
try {
  const ordeal = await tortureJob({
    ...{ site, redis, folder, job: 'torture', depth: DEPTH, delay: 10 },
    args: [...site.seeds, ...limits, '--workers', '1', '--lease', '2s', '-q'],
    processes: Number(values.processes),
    kills: Number(values.kills),
    restarts: Number(values.restarts),
    pause: Number(values.pause),
  })
  console.log(JSON.stringify({ ...shape, ...ordeal }))
} finally {
  await rm(folder, { recursive: true, force: true })
  await site.close()
  await redis.close()
}
