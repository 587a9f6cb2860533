import type { SeedHostFinding } from '../fetch/addresses/seed-hosts.ts'

/** States of a job. A paused one hands nothing out; a stopped one lets its agents go. */
export const JOB_STATES = ['running', 'paused', 'stopped', 'finished'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A URL to add to the shared queue. */
export interface PushedUrl {
  readonly url: string
  readonly host: string
  readonly depth: number
  /** Comes back unchanged when the URL is handed out. */
  readonly text: string
}

/** A URL that is finished: its id, and the bytes of its body if there is a record, which must be durable. */
export type FinishedUrl = readonly [id: string, bytes?: number]

/** Report of an agent about a host that it leases. */
export interface HeldHost {
  readonly host: string
  /** Number of the lease: an agent with an older one is refused. */
  readonly epoch: string
  readonly done: readonly FinishedUrl[]
  /** Number of unfinished URLs that the agent has. */
  readonly known: number
  /** Number of further URLs that it takes. */
  readonly want: number
  /** Gives the host back, with all of its unfinished URLs. */
  readonly release?: boolean
  /** Milliseconds until the host may get another request; goes with `past`. */
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
  /** Longest time that a host can have to wait, in milliseconds. */
  readonly longestPause: number
  /** Greatest depth that may be handed out. */
  readonly maxDepth: number
  /** Number of further hosts that the agent takes. */
  readonly hosts: number
  /** Takes only hosts whose lease has ended. */
  readonly onlyOrphans?: boolean
  /** Number of URLs that it takes of each further host. */
  readonly batch: number
  readonly held: readonly HeldHost[]
  /** The hosts besides `held` that the agent leases here: any other goes back. Undefined when there may be more. */
  readonly others?: readonly string[]
}

/** A URL that was handed out. */
export interface LeasedItem {
  readonly id: string
  readonly depth: number
  /** Number of times that it was handed out and lost before. */
  readonly attempts: number
  readonly text: string
}

/** URLs of a leased host. A host that was just leased comes with `wait`, `past` and `robots`. */
export interface HostShare {
  readonly host: string
  readonly epoch: string
  readonly urls: readonly LeasedItem[]
  /** True when the queue has more URLs of the host. */
  readonly left: boolean
  /** Milliseconds until the host may get a request. */
  readonly wait?: number
  /** Milliseconds since the lease of another agent ended, which may have sent requests until then. */
  readonly ended?: number
  readonly past?: string
  readonly robots?: readonly (readonly [origin: string, text: string])[]
}

/** Reply of a partition. */
export interface LeaseReply {
  /** Hosts that another agent leases by now. */
  readonly lost: readonly string[]
  readonly hosts: readonly HostShare[]
  /** Number of URLs that were dropped because they were seen before. */
  readonly known: number
}

/** Counts of a partition. */
export interface PartitionView {
  /** URLs that were ever pushed, known or not. */
  readonly added: number
  /** Finished URLs with a record, and the bytes of their bodies. */
  readonly visits: number
  readonly bytes: number
  /** Number of unfinished URLs by depth, the least depth first. */
  readonly open: readonly (readonly [depth: number, count: number])[]
  /** Hosts with URLs that nobody leases. */
  readonly free: number
  /** Hosts with URLs, leased or not. */
  readonly active: number
  /** Free hosts that an agent leased until its lease ended, and that may get a request. */
  readonly orphans: number
  /** Milliseconds until the first lease ends; undefined without leases. */
  readonly endsIn?: number | undefined
}

/** Report of an agent about itself. */
export interface AgentBeat {
  readonly agent: string
  /** Milliseconds until the agent counts as gone; 0 when it leaves. */
  readonly ttl: number
  /** True when the agent asks for hosts that others lease. */
  readonly isHungry: boolean
  /** URLs of hosts that joined the scope, and that it has not reported yet. */
  readonly widened: readonly string[]
  /** Its new findings about the hosts of seeds. */
  readonly seedHosts: readonly SeedHostFinding[]
}

/** Report of a job to an agent. */
export interface JobStatus {
  readonly state: JobState
  /** Number of agents that take part. */
  readonly agents: number
  /** Number of agents that ask for hosts that others lease. */
  readonly hungry: number
  /** URLs of all hosts that joined the scope since the job began. */
  readonly widened: readonly string[]
  /** New findings about the hosts of seeds since the last beat. */
  readonly seedHosts: readonly SeedHostFinding[]
}

/** The permits of a rate that an agent has use for. */
export interface RateDemand {
  readonly name: 'requests' | 'bytes'
  /** Permits per second of all agents together. */
  readonly perSecond: number
  /** Permits that requests wait for. */
  readonly needed: number
  /** Permits that it may soon need besides. */
  readonly wanted: number
}

/** Permits of rates that were reserved for an agent, at even intervals. */
export interface RateReservation {
  /** Time of the server, in milliseconds of its clock. */
  readonly now: number
  /** For each rate: milliseconds until the first permit is due, and how many there are. */
  readonly grants: readonly { readonly delay: number; readonly count: number }[]
}

/**
 * The queue of URLs that the agents of a job share. It is split into partitions: all URLs of a host are in one.
 * Calls wait while a server is away, and reject with a CrawlerError('redis') when waiting is of no use.
 */
export interface JobQueue {
  /** Name of the job. */
  readonly name: string
  /** Settings that the first agent began the job with. */
  readonly settings: Readonly<Record<string, unknown>>
  /** State of the job when this process joined. */
  readonly state: JobState
  /** Number of partitions. */
  readonly partitionCount: number
  /** Grows whenever a server may have forgotten what it was told last. */
  readonly breaks: number
  /** True while a server may have forgotten pushed URLs: then views may count too few. */
  readonly mayHaveLostUrls: boolean

  /** Returns the partition of a host, from 0. */
  partitionOf(host: string): number

  /** Adds URLs to a partition; the seen test comes later, so a URL may be added twice. */
  push(partition: number, urls: readonly PushedUrl[]): Promise<void>

  /** Returns the URLs that a server may have forgotten since the last call, to be pushed again. */
  takeLostUrls(): PushedUrl[]

  /** Reports finished URLs, renews or gives back leases, and takes further URLs and hosts of a partition. */
  exchange(partition: number, request: LeaseRequest): Promise<LeaseReply>

  /**
   * Counts the URLs and hosts of all partitions.
   * @param maxDepth greatest depth that may be handed out
   */
  viewPartitions(maxDepth: number): Promise<PartitionView[]>

  /**
   * Takes back the leases that have ended, and counts like `viewPartitions`. Agents call it several times in a lease:
   * leases last longer by the time in which a call waited, and no other was served.
   * @param ttl length of a lease in milliseconds
   */
  watchPartitions(maxDepth: number, ttl: number): Promise<PartitionView[]>

  /**
   * Reports that an agent is alive, and returns how the job stands.
   * @throws CrawlerError('redis') when the job is gone
   */
  beat(beat: AgentBeat): Promise<JobStatus>

  /** Reserves permits of rates, each for the next part of a second. */
  reserve(demands: readonly RateDemand[]): Promise<RateReservation>

  /** Marks the job as finished. */
  finish(): Promise<void>

  /** Returns an error in words for the user if damaged data of the job caused it, and others unchanged. */
  describeError(error: unknown): unknown

  /** Closes the connections; calls that wait are rejected. */
  close(): void
}
