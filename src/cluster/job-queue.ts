import type { SeedHostFinding } from '../fetch/addresses/seed-hosts.ts'

/** States of a job. A paused job hands out no URLs. The processes of a stopped job end. */
export const JOB_STATES = ['running', 'paused', 'stopped', 'finished'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A URL to add to the shared queue. */
export interface PushedUrl {
  readonly url: string
  readonly host: string
  readonly depth: number
  /** Text that is returned unchanged when the URL is handed out. */
  readonly text: string
}

/** A URL that is finished: its id, and the bytes of its body if there is a record, which must be durable. */
export type FinishedUrl = readonly [id: string, bytes?: number]

/** Report of an agent about a host that it leases. */
export interface LeaseReport {
  readonly host: string
  /** Id of the lease. A report about an older lease of the host is ignored. */
  readonly epoch: string
  readonly done: readonly FinishedUrl[]
  /** Number of unfinished URLs of the host that the agent has. */
  readonly unfinished: number
  /** Maximum number of further URLs that the agent takes. */
  readonly want: number
  /** True to give the host back, with all of its unfinished URLs. */
  readonly release?: boolean
  /** Milliseconds until the host may get another request. Stored only together with `past`. */
  readonly wait?: number
  /** Facts about the host for the next agent, as JSON. */
  readonly past?: string
  /** New robots.txt results as JSON, by origin. */
  readonly robots?: Readonly<Record<string, string>>
}

/** Request of an agent to a partition. */
export interface LeaseRequest {
  readonly agent: string
  /** Length of a lease in milliseconds. */
  readonly ttl: number
  /** Longest possible wait of a host, in milliseconds. A stored wait that is longer comes from a wrong clock. */
  readonly longestPause: number
  /** Greatest depth that may be handed out. */
  readonly maxDepth: number
  /** Maximum number of further hosts to lease to the agent. */
  readonly hosts: number
  /** True to lease only hosts whose last lease has expired. */
  readonly onlyOrphans?: boolean
  /** Maximum number of URLs to hand out of each further host. */
  readonly batch: number
  readonly held: readonly LeaseReport[]
  /**
   * All hosts of the partition besides `held` that the agent knows it leases. The partition takes back any other host
   * that it leased to the agent. Undefined to skip this comparison.
   */
  readonly others?: readonly string[]
}

/** A URL that was handed out. */
export interface HandedOutUrl {
  readonly id: string
  readonly depth: number
  /** Number of times that the URL was handed out before and lost, because the lease of its host expired. */
  readonly attempts: number
  readonly text: string
}

/** URLs of a leased host. Only a host that was just leased has `robots`, `wait`, `past` and `lostFor`. */
export interface LeasedHostUrls {
  readonly host: string
  readonly epoch: string
  readonly urls: readonly HandedOutUrl[]
  /** True if the queue has more URLs of the host. */
  readonly hasMore: boolean
  /** Milliseconds until the host may get a request. */
  readonly wait?: number
  /**
   * Milliseconds since the lease of the previous agent expired. That agent may have sent requests until then. Undefined
   * if it gave the host back.
   */
  readonly lostFor?: number
  readonly past?: string
  readonly robots?: readonly (readonly [origin: string, text: string])[]
}

/** Reply of a partition. */
export interface LeaseReply {
  /** Hosts that the agent no longer leases. */
  readonly lost: readonly string[]
  readonly hosts: readonly LeasedHostUrls[]
  /** Number of URLs that were dropped because they were seen before. */
  readonly known: number
}

/** Counts of a partition. */
export interface PartitionView {
  /** Number of URLs that were ever pushed, including those already seen. */
  readonly added: number
  /** Number of finished URLs with a record. */
  readonly visits: number
  /** Bytes of the bodies of these URLs. */
  readonly bytes: number
  /** Number of unfinished URLs by depth, the least depth first. */
  readonly open: readonly (readonly [depth: number, count: number])[]
  /** Number of hosts that have URLs and that no agent leases. */
  readonly free: number
  /** Number of hosts that have URLs, leased or not. */
  readonly active: number
  /** Number of free hosts whose last lease has expired and that may get a request now. */
  readonly orphans: number
  /** Milliseconds until the first lease expires; undefined without leases. */
  readonly endsIn?: number | undefined
}

/** Report of an agent about itself. */
export interface AgentBeat {
  readonly agent: string
  /** Milliseconds until the agent counts as gone; 0 when it leaves. */
  readonly ttl: number
  /** True if the agent needs hosts that others lease. */
  readonly isHungry: boolean
  /** URLs of hosts that joined the scope and that the agent has not reported yet. */
  readonly widened: readonly string[]
  /** New findings of the agent about the hosts of seeds. */
  readonly seedHosts: readonly SeedHostFinding[]
}

/** State of a job, as it is reported to an agent. */
export interface JobStatus {
  readonly state: JobState
  /** Number of agents that take part. */
  readonly agents: number
  /** Number of agents that need hosts that others lease. */
  readonly hungry: number
  /** URLs of all hosts that joined the scope since the job began. */
  readonly widened: readonly string[]
  /** New findings about the hosts of seeds since the last beat. */
  readonly seedHosts: readonly SeedHostFinding[]
}

/** Permits of a rate that an agent needs. */
export interface RateDemand {
  readonly name: 'requests' | 'bytes'
  /** Permits per second of all agents together. */
  readonly perSecond: number
  /** Permits that waiting requests need now. */
  readonly needed: number
  /** Further permits that the agent may need soon. */
  readonly wanted: number
}

/** Permits of rates that were reserved for an agent, at even intervals. */
export interface RateReservation {
  /** Current time of the server's clock, in milliseconds. */
  readonly now: number
  /** For each rate, the milliseconds until the first permit is due, and the number of permits. */
  readonly grants: readonly { readonly delay: number; readonly count: number }[]
}

/**
 * The queue of URLs that the agents of a job share. It is split into partitions: all URLs of a host are in one.
 * Calls wait while a server is unavailable. They reject with a CrawlerError('redis') if waiting doesn't help.
 */
export interface JobQueue {
  /** Name of the job. */
  readonly name: string
  /** Settings with which the first agent created the job. */
  readonly settings: Readonly<Record<string, unknown>>
  /** State of the job when this process opened the queue. */
  readonly state: JobState
  /** Number of partitions. */
  readonly partitionCount: number
  /** Counter that increases whenever a server may have lost its latest changes. */
  readonly outageCount: number
  /** True while a server may have lost pushed URLs, so that views may count too few. */
  readonly mayHaveLostUrls: boolean
  /** True if servers may lose changes independently of each other. */
  readonly isSpread: boolean

  /** Returns the partition of a host, from 0. */
  partitionOf(host: string): number

  /** Adds URLs to a partition. The seen test runs when they are handed out, so a URL may be added twice. */
  push(partition: number, urls: readonly PushedUrl[]): Promise<void>

  /** Returns the URLs that a server may have lost since the last call. They have to be pushed again. */
  takeLostUrls(): PushedUrl[]

  /** Reports finished URLs, renews or gives back leases, and takes further URLs and hosts of a partition. */
  exchange(partition: number, request: LeaseRequest): Promise<LeaseReply>

  /** Counts the URLs and hosts of all partitions, as if only seeds could be handed out. */
  viewPartitions(): Promise<PartitionView[]>

  /**
   * Takes back the leases that have expired, and counts like `viewPartitions`. After an outage of a server, it extends
   * the leases by the time in which calls of agents waited for the server. To notice outages, agents have to call it
   * several times within the length of a lease.
   * @param maxDepth greatest depth that may be handed out
   * @param ttl length of a lease in milliseconds
   */
  watchPartitions(maxDepth: number, ttl: number): Promise<PartitionView[]>

  /**
   * Reports that an agent is alive, and returns the state of the job.
   * @throws CrawlerError('redis') if the job no longer exists
   */
  beat(beat: AgentBeat): Promise<JobStatus>

  /** Reserves permits of rates, each for the next fraction of a second. */
  reserve(demands: readonly RateDemand[]): Promise<RateReservation>

  /** Marks the job as finished. */
  finish(): Promise<void>

  /** Closes the connections. Waiting calls are rejected. */
  close(): void
}
