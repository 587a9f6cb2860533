import { randomUUID } from 'node:crypto'
import { RedisCluster } from './redis-cluster.ts'
import { RedisServer } from './redis-server.ts'

/** The interface of a server or a cluster that tests use. */
export interface Redis {
  /** One address, from which all nodes are found. */
  readonly url: string
  /** Returns the replies of all nodes to `redis-cli`. */
  ask(...words: string[]): Promise<string>
  /** Kills the server, or one of three nodes. */
  kill(): Promise<void>
  /** Restarts it. */
  run(): Promise<void>
}

const running = new Map<string, Promise<Redis>>()
const durable = ['--appendonly', 'yes']

/** Starts a setup at most once in this process. */
function once(name: string, start: () => Promise<Redis>): [string, () => Promise<Redis>] {
  return [
    name,
    () => {
      const redis = running.get(name) ?? start()
      running.set(name, redis)
      return redis
    },
  ]
}

/** The setups on which tests with Redis run, for `describe.each`. */
export const REDIS_SETUPS = [
  once('a server', () => RedisServer.start(...durable)),
  once('a cluster of three nodes', () => RedisCluster.start(...durable)),
] as const

/** Returns a name that is unique on a shared server. */
export function freshName(): string {
  return `test-${randomUUID()}`
}
