import { randomUUID } from 'node:crypto'
import { RedisCluster } from './redis-cluster.ts'
import { RedisServer } from './redis-server.ts'

/** What a test needs of either. */
export interface Redis {
  /** One address is enough to find all of it. */
  readonly url: string
  /** What `redis-cli` is answered, by all nodes. */
  ask(...words: string[]): Promise<string>
  /** Dies, or a third of it. */
  kill(): Promise<void>
  /** Comes back. */
  run(): Promise<void>
}

const running = new Map<string, Promise<Redis>>()
const durable = ['--appendonly', 'yes']

/** Started once in this process, and gone with it. */
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

/** What each test over Redis runs on, for `describe.each`. */
export const REDIS_SETUPS = [
  once('a server', () => RedisServer.start(...durable)),
  once('a cluster of three nodes', () => RedisCluster.start(...durable)),
] as const

/** A name that nobody else has on a server that others use, too. */
export function freshName(): string {
  return `test-${randomUUID()}`
}
