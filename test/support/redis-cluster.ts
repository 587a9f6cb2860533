import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { RedisServer } from './redis-server.ts'

const run = promisify(execFile)
const SLOTS = 16_384

/** A Redis Cluster of three nodes on loopback, without replicas. */
export class RedisCluster {
  readonly #nodes: readonly RedisServer[]

  private constructor(nodes: readonly RedisServer[]) {
    this.#nodes = nodes
  }

  static async start(): Promise<RedisCluster> {
    const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
    const nodes = await Promise.all(Array.from({ length: 3 }, () => RedisServer.start(...options)))
    const cluster = new RedisCluster(nodes)
    await cluster.#join()
    return cluster
  }

  /** The URL of one of the nodes. */
  get url(): string {
    return this.#nodes[0]?.url ?? ''
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()))
  }

  async #join(): Promise<void> {
    const [first, ...others] = this.#nodes
    for (const [index, node] of this.#nodes.entries()) {
      const [from, to] = [index, index + 1].map((each) => Math.floor((each * SLOTS) / 3))
      await ask(node, 'addslotsrange', `${from}`, `${Number(to) - 1}`)
    }
    for (const { port, busPort } of others) {
      if (first !== undefined) await ask(first, 'meet', '127.0.0.1', `${port}`, `${busPort}`)
    }
    for (const node of this.#nodes) {
      while (!/cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(await ask(node, 'info'))) {
        await sleep(20)
      }
    }
  }
}

async function ask({ port }: RedisServer, ...words: string[]): Promise<string> {
  const { stdout } = await run('redis-cli', ['-p', `${port}`, 'cluster', ...words])
  return stdout
}
