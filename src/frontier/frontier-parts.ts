import { AliasGuard } from '../traps/alias-guard.ts'
import { TrapGuard } from '../traps/trap-guard.ts'
import { LevelOrder } from './deterministic/level-order.ts'
import type { FrontierOptions } from './frontier.ts'
import { HostAddressLookups } from './hosts/host-address-lookups.ts'
import { HostDirectory } from './hosts/host-directory.ts'
import { HostProbes } from './hosts/host-probes.ts'
import { HostSchedule } from './hosts/host-schedule.ts'
import { RobotsRequests } from './hosts/robots-requests.ts'
import { DepthTally } from './shortest-path/depth-tally.ts'
import type { FrontierTables } from './storage/frontier-tables.ts'
import { UrlsInFlight } from './urls-in-flight.ts'

/** The state of a frontier. Each class of its logic declares the parts that it needs. */
export interface FrontierParts {
  readonly tables: FrontierTables
  readonly unfinished: DepthTally
  readonly inFlight: UrlsInFlight
  readonly hosts: HostDirectory
  readonly schedule: HostSchedule
  readonly robotsRequests: RobotsRequests
  readonly probes: HostProbes
  readonly lookUps: HostAddressLookups
  /** Keys of hosts whose URLs must be recalled from workers. */
  readonly hostsToRecall: Set<string>
  /** Present with `--deterministic`. */
  readonly order: LevelOrder | undefined
  /** Undefined with `--no-traps`. */
  readonly traps: TrapGuard | undefined
  /** Also undefined with `--deterministic`: a URL is then dropped as a trap when its turn to be settled comes. */
  readonly earlyTraps: TrapGuard | undefined
}

/** Returns the initial state of a frontier. */
export function frontierParts(tables: FrontierTables, options: FrontierOptions): FrontierParts {
  const unfinished = new DepthTally()
  const order = tables.ordered && new LevelOrder(tables.ordered, tables.urls, unfinished)
  const hosts = new HostDirectory(tables, options, order)
  const traps = options.traps === true ? trapGuard(tables, options) : undefined
  return {
    tables,
    unfinished,
    inFlight: new UrlsInFlight(tables, unfinished, options.rate),
    hosts,
    schedule: new HostSchedule(hosts.share),
    robotsRequests: new RobotsRequests(hosts),
    probes: new HostProbes(),
    lookUps: new HostAddressLookups(hosts),
    hostsToRecall: new Set(),
    order,
    traps,
    earlyTraps: order === undefined ? traps : undefined,
  }
}

function trapGuard(tables: FrontierTables, { trapLimits }: FrontierOptions): TrapGuard {
  return new TrapGuard(trapLimits, new AliasGuard(tables.aliases, (text) => tables.keyOf(text)))
}
