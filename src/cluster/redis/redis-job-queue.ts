import { hash, randomBytes } from 'node:crypto'
import { parseStored, parseStoredJson } from '../../database/validate-stored-values.ts'
import { CrawlerError } from '../../errors.ts'
import type { SeedHostFinding } from '../../fetch/addresses/seed-hosts.ts'
import { randomHashKey } from '../../hashing/half-siphash.ts'
import { monotonicTime } from '../../throttle/monotonic-time.ts'
import type {
  AgentBeat,
  JobQueue,
  JobState,
  JobStatus,
  LeaseReply,
  LeaseRequest,
  PartitionView,
  PushedUrl,
  RateDemand,
  RateReservation,
} from '../job-queue.ts'
import { sum } from '../partition-counts.ts'
import type { SharedSeenOptions } from '../shared-seen-options.ts'
import { claimServers, refuseOtherServers } from './job-servers.ts'
import { jobKey } from './keys.ts'
import { checkJobFormat, JOB_FORMAT, markPartitions, partitionMarks } from './partition-marks.ts'
import { PartitionClocks, type PartitionMark, readPartitionViews } from './partition-views.ts'
import { reservePermits } from './rate-reservation.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import {
  beatSchema,
  fieldsOf,
  jobSchema,
  parseLeaseReply,
  parseReply,
  secretSchema,
  settingsSchema,
  stateSchema,
} from './reply-schemas.ts'
import type { RetryingClient } from './retrying-client.ts'
import {
  beatScript,
  changeStateScript,
  exchangeScript,
  joinScript,
  pushScript,
  type Script,
} from './scripts.ts'
import { type SeenScriptArguments, seenScriptArguments } from './seen-script-arguments.ts'
import type { Servers } from './servers.ts'

/** Number of partitions of a new job: enough to spread over some servers, few enough to view all of them often. */
export const PARTITIONS = 32
/** Maximum number of URLs in one call, since a script blocks its server. */
const MAX_URLS = 500
/** Random bytes of a token. Tokens of two calls practically never match. */
const TOKEN_BYTES = 4
/** Reply of `scripts/beat.lua` if there is no such job. */
const NO_JOB = '{}'

/**
 * The queue of a job on Redis servers. Each partition is a set of keys in one slot of one server. Each step is one Lua
 * script.
 */
export class RedisJobQueue implements JobQueue {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly state: JobState
  readonly partitionCount: number
  readonly #servers: Servers
  readonly #partitions: readonly PartitionMark[]
  readonly #seen: SeenScriptArguments
  readonly #exchange: Script
  readonly #push = pushScript()
  readonly #beat = beatScript()
  readonly #pushed: ReplayBuffer
  readonly #clocks = new PartitionClocks()
  /** Milliseconds of the longest call since the last watch. A long one shows that a server was unavailable. */
  #longestWait = 0
  /** Time of the last beat on the server's clock, in milliseconds. */
  #beatAt = '0'
  #outageCount = 0

  private constructor(
    name: string,
    servers: Servers,
    fields: Readonly<Record<string, string>>,
    seen: SharedSeenOptions,
  ) {
    const kept = parseStored(jobSchema, fields, 'the job')
    const key = parseStoredJson(secretSchema, kept.secret, 'secret')
    this.name = name
    this.#servers = servers
    this.settings = parseStoredJson(settingsSchema, kept.settings, 'settings')
    this.state = kept.state
    this.partitionCount = Number(kept.partitions)
    this.#partitions = partitionMarks(name, kept, this.partitionCount)
    this.#seen = seenScriptArguments(seen, key, this.partitionCount)
    this.#exchange = exchangeScript(seen.name)
    this.#pushed = new ReplayBuffer(servers.all)
  }

  /**
   * Returns the queue of the job of this name; undefined if there is none.
   * @throws CrawlerError('redis') if the job was created on other servers, or by another version
   * @throws DamageError if keys of the job are missing
   */
  static async find(
    servers: Servers,
    name: string,
    seen: SharedSeenOptions,
  ): Promise<RedisJobQueue | undefined> {
    await refuseOtherServers(servers, name)
    const key = jobKey(name)
    const kept = fieldsOf(await servers.of(key).command(key, 'HGETALL', key))
    return Object.keys(kept).length === 0
      ? undefined
      : RedisJobQueue.#open(servers, name, kept, seen)
  }

  /**
   * Returns the queue of the job of this name, which is created if it doesn't exist.
   * @param settings settings that all agents of a job must agree on
   * @throws CrawlerError('redis') if the job was created on other servers, or by another version
   * @throws DamageError if keys of the job are missing
   */
  static async join(
    servers: Servers,
    name: string,
    settings: Readonly<Record<string, unknown>>,
    seen: SharedSeenOptions,
  ): Promise<RedisJobQueue> {
    await claimServers(servers, name)
    const fields = {
      format: JOB_FORMAT,
      settings: JSON.stringify(settings),
      secret: JSON.stringify(randomHashKey()),
      state: 'running',
      partitions: String(PARTITIONS),
      created: new Date().toISOString(),
    }
    const key = jobKey(name)
    const reply = await servers.of(key).evaluate(joinScript(), [key], Object.entries(fields).flat())
    return RedisJobQueue.#open(servers, name, fieldsOf(reply), seen)
  }

  static async #open(
    servers: Servers,
    name: string,
    fields: Readonly<Record<string, string>>,
    seen: SharedSeenOptions,
  ): Promise<RedisJobQueue> {
    checkJobFormat(name, fields)
    const queue = new RedisJobQueue(name, servers, fields, seen)
    if (fields['begun'] === undefined) await markPartitions(servers, name, queue.#partitions)
    await queue.viewPartitions()
    return queue
  }

  get outageCount(): number {
    return sum(this.#servers.all.map((server) => server.outageCount))
  }

  get mayHaveLostUrls(): boolean {
    return this.#pushed.hasLosses
  }

  get isSpread(): boolean {
    const { all } = this.#servers
    return all.length > 1 || all.some(({ isCluster }) => isCluster)
  }

  partitionOf(host: string): number {
    return hash('sha1', host, 'buffer').readUInt32BE(0) % this.partitionCount
  }

  async push(partition: number, urls: readonly PushedUrl[]): Promise<void> {
    const { key, mark } = this.#partition(partition)
    const server = this.#servers.of(key)
    for (let start = 0; start < urls.length; start += MAX_URLS) {
      const some = urls.slice(start, start + MAX_URLS)
      const rows = some.flatMap(({ host, depth, text, url }) => {
        return [host, String(depth), this.#seen.fingerprintOf(url), text]
      })
      await this.#evaluate(server, this.#push, [key], [mark, ...rows])
      this.#pushed.add(server, some)
    }
  }

  takeLostUrls(): PushedUrl[] {
    return this.#pushed.takeLost()
  }

  async exchange(partition: number, request: LeaseRequest): Promise<LeaseReply> {
    const seen = this.#seen.setup
    const token = randomBytes(TOKEN_BYTES).toString('hex')
    const { key, mark } = this.#partition(partition)
    const text = JSON.stringify({ ...request, mark, token, seen })
    const server = this.#servers.of(key)
    return parseLeaseReply(await this.#evaluate(server, this.#exchange, [key], [text]))
  }

  viewPartitions(): Promise<PartitionView[]> {
    return readPartitionViews(this.#servers, this.#partitions, 0)
  }

  watchPartitions(maxDepth: number, ttl: number): Promise<PartitionView[]> {
    const watch = { ttl, clocks: this.#clocks, waited: this.#longestWait }
    this.#longestWait = 0
    return readPartitionViews(this.#servers, this.#partitions, maxDepth, watch)
  }

  async beat(beat: AgentBeat): Promise<JobStatus> {
    const { outageCount, name } = this
    // A server that took the place of another has another clock, and may lack reports.
    if (outageCount !== this.#outageCount) this.#beatAt = '0'
    this.#outageCount = outageCount
    const parts = ['agents', 'widened', 'hungry', 'found']
    const keys = [jobKey(name), ...parts.map((part) => jobKey(name, part))]
    const args = beatArguments(beat, this.#beatAt)
    const reply = await this.#evaluate(this.#servers.of(jobKey(name)), this.#beat, keys, args)
    if (reply === NO_JOB) throw jobGone(name)
    const { state, agents, hungry, widened, found, now } = parseReply(beatSchema, reply, 'the job')
    // The next beat may return findings of this millisecond again.
    this.#beatAt = now
    return { state, agents, hungry, widened, seedHosts: found.map(findingOf) }
  }

  reserve(demands: readonly RateDemand[]): Promise<RateReservation> {
    return reservePermits(this.#servers.of(jobKey(this.name)), this.name, demands)
  }

  async finish(): Promise<void> {
    await changeJobState(this.#servers, this.name, 'finished', ['running', 'paused'])
  }

  close(): void {
    this.#servers.close()
  }

  /** Runs a script, and notes how long it waited for the server. */
  async #evaluate(
    server: RetryingClient,
    script: Script,
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown> {
    const sent = monotonicTime()
    const reply = await server.evaluate(script, keys, args)
    this.#longestWait = Math.max(this.#longestWait, monotonicTime() - sent)
    return reply
  }

  #partition(index: number): PartitionMark {
    const partition = this.#partitions[index]
    if (partition === undefined) throw new RangeError(`no partition ${index}`)
    return partition
  }
}

/** Returns ARGV of `scripts/beat.lua`. */
function beatArguments(beat: AgentBeat, lastBeatAt: string): string[] {
  const { agent, ttl, isHungry, widened, seedHosts } = beat
  const own = [agent, String(ttl), isHungry ? '1' : '0', lastBeatAt]
  return [...own, String(seedHosts.length), ...seedHosts.map(textOf), ...widened]
}

function textOf({ host, isPrivate }: SeedHostFinding): string {
  return `${isPrivate ? 'private' : 'public'} ${host}`
}

function findingOf(text: string): SeedHostFinding {
  const [kind, host = ''] = text.split(' ')
  return { host, isPrivate: kind === 'private' }
}

function jobGone(name: string): CrawlerError {
  const message = `job ${name} is not in Redis: it was deleted, or Redis lost its data`
  return new CrawlerError('redis', message)
}

/**
 * Changes the state of a job if its current state is one of `from`.
 * @returns the state of the job after the call; undefined if there is no such job
 */
export async function changeJobState(
  servers: Servers,
  name: string,
  state: JobState,
  from: readonly JobState[],
): Promise<JobState | undefined> {
  const key = jobKey(name)
  const reply = await servers.of(key).evaluate(changeStateScript(), [key], [state, ...from])
  return reply === null ? undefined : parseStored(stateSchema, reply, 'state')
}
