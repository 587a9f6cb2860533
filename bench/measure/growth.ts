import { readdirSync, readlinkSync } from 'node:fs'
import { memoryOf } from './processes.ts'

/** What a process holds at a time. */
export interface Sample {
  /** Resident memory, in bytes. */
  readonly rss: number
  /** Open file descriptors, and those of them that are sockets. */
  readonly handles: number
  readonly sockets: number
  /** Timers that run, in all threads; 0 where nothing tells. */
  readonly timers: number
}

/** How much a crawl may hold at the end of what it held early: a tenth more, and so much that is noise. */
const NOISE: Sample = { rss: 20e6, handles: 8, sockets: 8, timers: 8 }

/** Samples a process. Linux only, for /proc. */
export function sampleOf(pid: number, timers = 0): Sample {
  const handles = readdirSync(`/proc/${pid}/fd`)
  const sockets = handles.filter((fd) => targetOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:'))
  const rss = memoryOf(pid, 'VmRSS')
  return { rss, handles: handles.length, sockets: sockets.length, timers }
}

/** Empty when it was closed in between. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** Prints what grew between two times, each with some samples; returns a sentence for each that grew too much. */
export function growthOf(
  early: readonly Sample[],
  late: readonly Sample[],
  noise: Partial<Sample> = {},
): string[] {
  const free = { ...NOISE, ...noise }
  return (['rss', 'handles', 'sockets', 'timers'] as const).flatMap((each) => {
    const [before, after] = [median(early, each), median(late, each)]
    console.log(`${each}: ${before} early, ${after} late (medians of ${early.length} samples)`)
    return after > before * 1.1 + free[each] ? [`${each} grew from ${before} to ${after}`] : []
  })
}

function median(samples: readonly Sample[], of: keyof Sample): number {
  return samples.map((sample) => sample[of]).sort((a, b) => a - b)[samples.length >> 1] ?? 0
}

/** Returns what is early and late, where the first sixth is a start: the first third of the rest, and the last one. */
export function thirdsOf(samples: readonly Sample[]): [Sample[], Sample[]] {
  const settled = samples.slice(Math.ceil(samples.length / 6))
  const third = Math.ceil(settled.length / 3)
  return [settled.slice(0, third), settled.slice(-third)]
}
