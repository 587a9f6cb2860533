import { readdirSync, readlinkSync } from 'node:fs'
import { memoryOf } from './processes.ts'
import { median } from './statistics.ts'

/** The resources of a process at a time. */
export interface Sample {
  /** Resident memory, in bytes. */
  readonly rss: number
  /** Number of open file descriptors, and number of those that are sockets. */
  readonly handles: number
  readonly sockets: number
  /** Number of running timers in all threads; 0 if unknown. */
  readonly timers: number
}

/** The growth that counts as noise, in addition to a tenth of the early value. */
const NOISE: Sample = { rss: 20e6, handles: 8, sockets: 8, timers: 8 }

/** Samples a process. Linux only, for /proc. */
export function sampleOf(pid: number, timers = 0): Sample {
  const handles = readdirSync(`/proc/${pid}/fd`)
  const sockets = handles.filter((fd) => targetOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:'))
  const rss = memoryOf(pid, 'VmRSS')
  return { rss, handles: handles.length, sockets: sockets.length, timers }
}

/** Returns the target of a link; empty if the file was closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** Compares samples of two times, and prints both. Returns a sentence for each resource that grew too much. */
export function growthOf(
  early: readonly Sample[],
  late: readonly Sample[],
  noise: Partial<Sample> = {},
): string[] {
  const free = { ...NOISE, ...noise }
  return (['rss', 'handles', 'sockets', 'timers'] as const).flatMap((each) => {
    const medianOf = (samples: readonly Sample[]) => median(samples.map((sample) => sample[each]))
    const [before, after] = [medianOf(early), medianOf(late)]
    console.log(`${each}: ${before} early, ${after} late (medians of ${early.length} samples)`)
    return after > before * 1.1 + free[each] ? [`${each} grew from ${before} to ${after}`] : []
  })
}

/** Returns the first and the last third of the samples, after dropping the first sixth, which is the warm-up. */
export function thirdsOf(samples: readonly Sample[]): [Sample[], Sample[]] {
  const settled = samples.slice(Math.ceil(samples.length / 6))
  const third = Math.ceil(settled.length / 3)
  return [settled.slice(0, third), settled.slice(-third)]
}
