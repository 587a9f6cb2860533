import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lastingPort } from '../../test/support/listen.ts'
import { RedisServer } from '../../test/support/redis-server.ts'

const MASTERS = 3
const OPTIONS = [
  '--appendonly',
  'yes',
  '--cluster-enabled',
  'yes',
  '--cluster-node-timeout',
  '2000',
]
const AT_ONCE = ['--repl-diskless-sync-delay', '0']

/** A Redis Cluster of three masters, each with a replica that replaces it when it fails. */
export class ReplicatedCluster {
  readonly #nodes: readonly RedisServer[]

  private constructor(nodes: readonly RedisServer[]) {
    this.#nodes = nodes
  }

  static async start(): Promise<ReplicatedCluster> {
    const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, startNode))
    const cluster = new ReplicatedCluster(nodes)
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
    const how = ['--cluster-replicas', '1', '--cluster-yes']
    await promisify(execFile)('redis-cli', ['--cluster', 'create', ...addresses, ...how])
    while ((await cluster.#count('master_link_status:up')) < MASTERS) await sleep(50)
    while ((await cluster.#count('cluster_state:ok', 'CLUSTER')) < nodes.length) await sleep(50)
    return cluster
  }

  /** Returns the URLs of two nodes. */
  get urls(): readonly string[] {
    return this.#nodes.slice(0, 2).map(({ url }) => url)
  }

  /** Kills a master, which does not come back. */
  async killMaster(): Promise<void> {
    for (const node of this.#nodes) {
      if (!(await node.ask('INFO', 'replication')).includes('role:master')) continue
      await node.kill()
      return
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()))
  }

  async #count(text: string, ...words: string[]): Promise<number> {
    const all = await Promise.all(this.#nodes.map((node) => node.ask(...words, 'INFO')))
    return all.filter((info) => info.includes(text)).length
  }
}

async function startNode(): Promise<RedisServer> {
  const bus = ['--cluster-port', `${await lastingPort()}`]
  return RedisServer.start(...OPTIONS, ...AT_ONCE, ...bus)
}
