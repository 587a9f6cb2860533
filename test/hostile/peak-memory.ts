import { existsSync, readFileSync } from 'node:fs'

/** Whether the system tells how much memory a process has had at most. */
export const TELLS_PEAK = existsSync('/proc/self/status')

/** Follows a process; gives a function for the most memory that it has had so far, in bytes. */
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

/** VmHWM of proc(5): the "high water mark" of the resident set. Zero when the process has gone. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}
