import { stored, storedJson } from '../../database/stored-value.ts'
import { CrawlerError } from '../../errors.ts'
import { randomHashKey } from '../../seen/half-siphash.ts'
import { pairsOf } from './exchange.ts'
import { Partitions } from './partitions.ts'
import { beatScript, changeStateScript, joinScript } from './scripts.ts'
import { type RedisSeenOptions, seenScheme } from './seen-scheme.ts'
import type { Servers } from './servers.ts'
import {
  beatForm,
  type JobState,
  jobForm,
  parsedReply,
  secretForm,
  settingsForm,
  stateForm,
} from './stored-replies.ts'

/** The job as it is told to an agent. */
export interface Beat {
  readonly state: JobState
  /** How many agents there are. */
  readonly agents: number
  /** How many of them ask for hosts that others hold. */
  readonly hungry: number
  /** URLs of the hosts that joined the scope since the job began. */
  readonly widened: readonly string[]
  /** What was found out about hosts of seeds since the last beat; absent where that is nothing. */
  readonly seedHosts?: readonly HostFinding[]
}

/** What the first look-up of a seed's host found. */
export interface HostFinding {
  /** With its port. */
  readonly host: string
  readonly isPrivate: boolean
}

/** What an agent tells of itself. */
export interface Doing {
  readonly visits: number
  readonly bytes: number
}

/** Which server set and which jobs there are: a HASH on each server, job -> ids of its servers. */
export const JOBS_KEY = 'ow:jobs'
/** Partitions of a new job: enough to be spread over some servers, few enough to be asked often. */
const PARTITIONS = 32

/** What `scripts/beat.lua` answers when there is no such job. */
const NO_JOB = '{}'

/** What all scripts and readers of a job have in common. */
export function jobKey(name: string, part = ''): string {
  return part === '' ? `ow:{${name}}` : `ow:{${name}}:${part}`
}

/** A job as its agents see it. */
export class RedisJobQueue {
  readonly name: string
  readonly partitions: Partitions
  /** Its settings, as the first agent had them. */
  readonly settings: Readonly<Record<string, unknown>>
  /** When it was joined. */
  readonly state: JobState
  readonly #servers: Servers
  readonly #beat = beatScript()
  /** Milliseconds on the server's clock. */
  #foundSince = '0'
  #breaks = 0

  private constructor(
    name: string,
    servers: Servers,
    fields: Readonly<Record<string, string>>,
    seen: RedisSeenOptions,
  ) {
    const kept = stored(jobForm, fields, 'the job')
    const key = storedJson(secretForm, kept.secret, 'secret')
    const count = Number(kept.partitions)
    this.name = name
    this.#servers = servers
    this.settings = storedJson(settingsForm, kept.settings, 'settings')
    this.state = kept.state
    this.partitions = new Partitions(name, count, servers, seen, seenScheme(seen, key, count))
  }

  /**
   * Takes part in a job, which is made when there is none of this name.
   * @param settings what all agents of a job have to agree on
   * @throws CrawlerError('redis') when it was begun on other servers
   */
  static async join(
    servers: Servers,
    name: string,
    settings: Readonly<Record<string, unknown>>,
    seen: RedisSeenOptions,
  ): Promise<RedisJobQueue> {
    await checkServers(servers, name)
    const fresh = {
      settings: JSON.stringify(settings),
      secret: JSON.stringify(randomHashKey()),
      state: 'running',
      partitions: String(PARTITIONS),
      created: new Date().toISOString(),
    }
    const key = jobKey(name)
    const reply = await servers.of(key).evaluate(joinScript(), [key], Object.entries(fresh).flat())
    return new RedisJobQueue(name, servers, fieldsOf(reply), seen)
  }

  /**
   * Tells that an agent is there, what joined the scope, and what it found out about hosts of seeds.
   * @param ttl milliseconds until it counts as gone; 0 when it leaves
   * @param isHungry whether it asks for hosts that others hold
   * @returns undefined when the job was deleted
   */
  async beat(
    agent: string,
    ttl: number,
    doing: Doing,
    isHungry: boolean,
    widened: readonly string[],
    findings: readonly HostFinding[] = [],
  ): Promise<Beat | undefined> {
    const { breaks, name } = this
    // A server that took the place of another has a clock of its own, and may know less.
    if (breaks !== this.#breaks) this.#foundSince = '0'
    this.#breaks = breaks
    const parts = ['agents', 'doing', 'widened', 'hungry', 'found']
    const keys = [jobKey(name), ...parts.map((part) => jobKey(name, part))]
    const hunger = isHungry ? '1' : '0'
    const about = [agent, String(ttl), JSON.stringify(doing), hunger, this.#foundSince]
    const found = findings.map(textOf)
    const args = [...about, String(found.length), ...found, ...widened]
    const reply = await this.#servers.of(jobKey(name)).evaluate(this.#beat, keys, args)
    if (reply === NO_JOB) return undefined
    const beat = parsedReply(beatForm, reply, 'the job')
    const { state, agents, hungry, widened: joined, found: texts, now } = beat
    // What is told in the same millisecond may come twice.
    this.#foundSince = now
    const seedHosts = texts.length > 0 ? { seedHosts: texts.map(findingOf) } : {}
    return { state, agents, hungry, widened: joined, ...seedHosts }
  }

  /** Grows whenever what it was told last may be forgotten. */
  get breaks(): number {
    return this.#servers.of(jobKey(this.name)).breaks
  }

  /** Nothing is left of it. */
  async finish(): Promise<void> {
    await changeJobState(this.#servers, this.name, 'finished', ['running', 'paused'])
  }

  close(): void {
    this.#servers.close()
  }
}

function textOf({ host, isPrivate }: HostFinding): string {
  return `${isPrivate ? 'private' : 'public'} ${host}`
}

function findingOf(text: string): HostFinding {
  const [kind, host = ''] = text.split(' ')
  return { host, isPrivate: kind === 'private' }
}

/**
 * Puts a job into another state, where that follows from the one it is in.
 * @returns the state it is in now; undefined when there is no such job
 */
export async function changeJobState(
  servers: Servers,
  name: string,
  state: JobState,
  from: readonly JobState[],
): Promise<JobState | undefined> {
  const key = jobKey(name)
  const reply = await servers.of(key).evaluate(changeStateScript(), [key], [state, ...from])
  return reply === null ? undefined : stored(stateForm, reply, 'state')
}

/** Pairs of a HASH as a record. */
export function fieldsOf(reply: unknown): Record<string, string> {
  return Object.fromEntries(pairsOf(Array.isArray(reply) ? reply.map(String) : []))
}

/** On other servers its queues would seem empty. */
async function checkServers(servers: Servers, name: string): Promise<void> {
  for (const server of servers.all) {
    await server.command(JOBS_KEY, 'HSETNX', JOBS_KEY, name, servers.ids)
    const before = await server.command(JOBS_KEY, 'HGET', JOBS_KEY, name)
    if (before === servers.ids) continue
    const count = String(before).split(',').length
    const message = `--frontier: expected the ${count} servers that job ${name} was begun with, got others`
    throw new CrawlerError('redis', message)
  }
}
