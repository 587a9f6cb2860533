import { MAX_LEASED_HOSTS } from '../cluster/agent/host-choice.ts'
import { planSeenSet } from '../seen/seen-set-lifecycle.ts'
import { ASSUMED, MEASURED_COSTS } from './measured-costs.ts'
import { planRedis, type RedisPlan, redisPagesPerSecond } from './plan-redis.ts'

/** The properties of a large crawl. */
export interface ScaleOptions {
  readonly pages: number
  /** Number of hosts that have these pages. */
  readonly hosts: number
  /** URLs that the crawl finds, visited or not. */
  readonly urls: number
  /** Milliseconds between two requests to a host. */
  readonly delay: number
  /** Requests in flight per host. With a delay there is only one. */
  readonly perHost: number
  /** Milliseconds that a server takes to answer. */
  readonly responseTime: number
  /** Bytes of a page. */
  readonly pageSize: number
  readonly linksPerPage: number
  /** Cores of each machine. */
  readonly cores: number
  readonly falsePositiveRate: number
  /** Number of machines. If undefined, several numbers are planned. */
  readonly machines?: number
}

/** The resource that limits the speed of a crawl. */
type ScaleLimit = 'CPU' | 'main thread' | 'politeness' | 'leases' | 'Redis'

/** The plan of a crawl for one number of machines. */
export interface MachinesPlan {
  readonly machines: number
  /** Processes on each machine. */
  readonly processes: number
  readonly pagesPerSecond: number
  readonly days: number
  readonly limit: ScaleLimit
  /** Maximum pages of one host in that time. */
  readonly maxPagesOfHost: number
  /** Needs of each machine. */
  readonly machine: {
    readonly bitsPerSecond: number
    readonly memory: number
    /** Bytes of JSON lines, uncompressed. */
    readonly outputDisk: number
    /** Bytes of `--state`; 0 if Redis keeps the queue. */
    readonly stateDisk: number
  }
  /** Undefined for one process, which keeps its own queue. */
  readonly redis?: RedisPlan
  /** The reason why this number of machines can't crawl that many URLs. */
  readonly refusal?: string
}

/** The needs of a large crawl, by number of machines. */
export interface ScalePlan extends ScaleOptions {
  /** Microseconds of CPU for a page. */
  readonly microsPerPage: number
  /** Pages per second that the hosts allow together. */
  readonly politePagesPerSecond: number
  readonly plans: readonly MachinesPlan[]
}

const MACHINE_COUNTS = [1, 4, 16, 64, 256, 1_024]
const DAY_SECONDS = 86_400
const MICROS = 1e6

/** Plans a large crawl for the given number of machines, or for growing numbers until more don't make it faster. */
export function planScale(options: ScaleOptions): ScalePlan {
  const microsPerPage = microsOfPage(options)
  const politePagesPerSecond = options.hosts * pagesPerSecondOfHost(options)
  const all = options.machines === undefined ? MACHINE_COUNTS : [options.machines]
  const plans: MachinesPlan[] = []
  for (const machines of all) {
    plans.push(planMachines(options, machines))
    if (plans.some(({ limit }) => limit === 'politeness' || limit === 'Redis')) break
  }
  return { ...options, microsPerPage, politePagesPerSecond, plans }
}

function microsOfPage({ pageSize, linksPerPage, delay }: ScaleOptions): number {
  const { pageMicros, connectionMicros, keptMs, byteMicros, linkMicros } = MEASURED_COSTS
  const connecting = delay < keptMs ? 0 : connectionMicros
  return pageMicros + connecting + byteMicros * pageSize + linkMicros * linksPerPage
}

/** Returns the pages per second that may be requested from one host. The delay runs from the end of a response. */
function pagesPerSecondOfHost({ delay, perHost, responseTime }: ScaleOptions): number {
  return delay > 0 ? 1_000 / (delay + responseTime) : (perHost * 1_000) / responseTime
}

function planMachines(options: ScaleOptions, machines: number): MachinesPlan {
  const { pages } = options
  const processes = processesPerMachine(options, machines)
  const agents = machines * processes
  const isJob = agents > 1
  const found = urlsFoundBy(agents, options)
  const { pagesPerSecond, limit } = slowest(options, machines, agents, found)
  const days = pages / pagesPerSecond / DAY_SECONDS
  const seen = planLocalSeenSet(isJob, found, options.falsePositiveRate)
  return {
    machines,
    processes,
    pagesPerSecond,
    days,
    limit,
    maxPagesOfHost: Math.floor(pagesPerSecondOfHost(options) * days * DAY_SECONDS),
    machine: {
      bitsPerSecond: (8 * options.pageSize * pagesPerSecond) / machines,
      memory: processes * (MEASURED_COSTS.processBytes + seen.bytes),
      outputDisk: (pages * MEASURED_COSTS.recordBytes) / machines,
      stateDisk: isJob ? 0 : stateBytes(options) + seen.bytes,
    },
    ...(isJob && { redis: planRedis({ ...options, pagesPerSecond, pushes: found * agents }) }),
    ...(seen.refusal !== undefined && { refusal: seen.refusal }),
  }
}

/**
 * Returns how many processes a machine needs to use all of its cores. One process may not be enough: its coordinator is
 * a single thread, and it leases a limited number of hosts. A single machine gets one process, which needs no Redis.
 */
function processesPerMachine(options: ScaleOptions, machines: number): number {
  if (machines === 1) return 1
  const { cores } = options
  const forCoordinators = Math.ceil(
    (cores * MEASURED_COSTS.coordinatorMicros) / microsOfPage(options),
  )
  const wanted = Math.min(
    cpuPagesPerSecond(options),
    (options.hosts * pagesPerSecondOfHost(options)) / machines,
  )
  const forLeases = Math.ceil(wanted / leasedPagesPerSecond(options))
  return Math.min(cores, Math.max(forCoordinators, forLeases))
}

/** Returns the pages per second that the cores of one machine can process. */
function cpuPagesPerSecond(options: ScaleOptions): number {
  return (options.cores * MEASURED_COSTS.busyShare * MICROS) / microsOfPage(options)
}

/** Returns the pages per second of the hosts that one process may lease. */
function leasedPagesPerSecond(options: ScaleOptions): number {
  return Math.min(MAX_LEASED_HOSTS, options.hosts) * pagesPerSecondOfHost(options)
}

function slowest(options: ScaleOptions, machines: number, agents: number, found: number) {
  const rates: Partial<Record<ScaleLimit, number>> = {
    politeness: options.hosts * pagesPerSecondOfHost(options),
    CPU: machines * cpuPagesPerSecond(options),
    'main thread': (agents * MICROS) / MEASURED_COSTS.coordinatorMicros,
    ...(agents > 1 && {
      leases: agents * leasedPagesPerSecond(options),
      Redis: redisPagesPerSecond({ ...options, pushes: found * agents }),
    }),
  }
  const pagesPerSecond = Math.min(...Object.values(rates))
  const limits: readonly ScaleLimit[] = ['politeness', 'CPU', 'main thread', 'leases', 'Redis']
  return { pagesPerSecond, limit: limits.find((name) => rates[name] === pagesPerSecond) ?? 'CPU' }
}

/**
 * Returns how many URLs each process finds. Only the process of a host finds the links within that host. Any process
 * may find the others, since the hosts that link to a URL are distributed over the processes at random.
 */
function urlsFoundBy(agents: number, { pages, urls, linksPerPage }: ScaleOptions): number {
  const mentionsElsewhere = (ASSUMED.linksToOtherHosts * linksPerPage * pages) / urls
  const others = (agents - 1) * (1 - (1 - 1 / agents) ** mentionsElsewhere)
  return (urls * (1 + others)) / agents
}

/** Plans the seen set of a process. In a job it is an exact set of the URLs that this process finds. */
function planLocalSeenSet(isJob: boolean, urls: number, falsePositiveRate: number) {
  const name = isJob ? 'digest' : 'bloom-growing'
  const options = { name, expectedUrls: Math.min(urls, 1e6), falsePositiveRate } as const
  return planSeenSet(options, Math.ceil(urls), Number.POSITIVE_INFINITY)
}

function stateBytes({ pages, urls }: ScaleOptions): number {
  const { visitedStateBytes, waitingStateBytes } = MEASURED_COSTS
  return pages * visitedStateBytes + Math.max(0, urls - pages) * waitingStateBytes
}
