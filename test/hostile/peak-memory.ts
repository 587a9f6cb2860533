import { existsSync, readFileSync } from 'node:fs'

/** True if the system reports the peak memory of a process. */
export const TELLS_PEAK = existsSync('/proc/self/status')

/** Watches a process. Returns a function that returns its peak memory so far, in bytes. */
export function watchPeak(pid: number | undefined): () => number {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(pid))
  }, 50).unref()
  return () => {
    clearInterval(timer)
    return peak
  }
}

/** VmHWM of proc(5), the "high water mark" of the resident set. Zero if the process has ended. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}
