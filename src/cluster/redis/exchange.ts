import type { Stored } from '../../database/stored-value.ts'
import { DamageError } from '../../errors.ts'
import { exchangeForm, parsedReply } from './stored-replies.ts'

/** A URL to be enqueued. */
export interface PushedUrl {
  readonly url: string
  readonly host: string
  readonly depth: number
  /** What comes back when it is handed out. */
  readonly text: string
}

/** What an agent tells of a host that it holds, and wants of it. */
export interface HeldHost {
  readonly host: string
  /** Which lease it is: whoever comes with an old one is refused. */
  readonly epoch: string
  /** Ids of URLs that are finished. */
  readonly done: readonly string[]
  /** URLs that it has and that are not finished. */
  readonly known: number
  /** How many more it takes. */
  readonly want: number
  /** The host is given back, with all URLs that are not finished. */
  readonly release?: boolean
  /** Milliseconds until the host may be asked; goes with `past`. */
  readonly wait?: number
  readonly past?: string
  /** Texts by origin. */
  readonly robots?: Readonly<Record<string, string>>
}

/** What an agent wants of a partition. */
export interface LeaseRequest {
  readonly agent: string
  /** Milliseconds of a lease. */
  readonly ttl: number
  /** Milliseconds that a host may have to be left alone for at most. */
  readonly longestPause: number
  /** Greatest depth that may be handed out. */
  readonly horizon: number
  /** How many more hosts it takes, and so many URLs of each. */
  readonly hosts: number
  readonly batch: number
  readonly held: readonly HeldHost[]
  /** Whether `held` has all hosts that the agent knows to be its own: any other goes back. */
  readonly all?: boolean
}

/** A URL that was handed out. */
export interface OutUrl {
  readonly id: string
  readonly depth: number
  /** How often it was handed out and lost before. */
  readonly attempts: number
  readonly text: string
}

/** URLs of a host, and what is known of that when it was taken with them. */
export interface HostShare {
  readonly host: string
  readonly epoch: string
  readonly urls: readonly OutUrl[]
  /** Whether there is more. */
  readonly left: boolean
  /** Milliseconds until it may be asked. */
  readonly wait?: number
  readonly past?: string
  readonly robots?: readonly (readonly [origin: string, text: string])[]
}

/** How a partition stands. */
export interface PartitionView {
  /** URLs that were ever enqueued, known or not. */
  readonly added: number
  /** How many URLs of each depth are not finished, the least depth first. */
  readonly open: readonly (readonly [depth: number, count: number])[]
  /** Hosts that have something to do, and nobody holds. */
  readonly free: number
  /** The same, held or not. */
  readonly active: number
}

/** What a partition answers. */
export interface LeaseReply {
  /** Hosts whose lease is another's by now. */
  readonly lost: readonly string[]
  readonly hosts: readonly HostShare[]
  /** URLs that were dropped, for they were seen before. */
  readonly known: number
}

/**
 * @param reply as `scripts/exchange.lua` gives it
 * @throws DamageError
 */
export function parseLeaseReply(reply: unknown): LeaseReply {
  const { lost, hosts, known } = parsedReply(exchangeForm, reply, 'its queue')
  return { lost, hosts: hosts.map(shareOf), known }
}

type RawShare = Stored<typeof exchangeForm>['hosts'][number]

function shareOf({ robots, urls, ...share }: RawShare): HostShare {
  const out = urls.map(outUrl)
  return robots === undefined
    ? { ...share, urls: out }
    : { ...share, urls: out, robots: pairsOf(robots) }
}

/** `<depth> <attempts> <text>` */
function outUrl([id, item]: readonly [id: string, item: string]): OutUrl {
  const [, depth, attempts, text] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(item) ?? []
  if (text === undefined)
    throw new DamageError(`its queue: expected a URL, got ${item.slice(0, 60)}`)
  return { id, depth: Number(depth), attempts: Number(attempts), text }
}

/** The fields and values of a HASH, which come in turns. */
export function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, pair) => [
    flat[2 * pair] ?? '',
    flat[2 * pair + 1] ?? '',
  ])
}
