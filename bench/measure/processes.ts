import { readdirSync, readFileSync } from 'node:fs'

const NO_PROCESS = ['ENOENT', 'ESRCH']

/** Reads a file of /proc; empty when the process has ended meanwhile. */
function readProc(path: string): string {
  return unlessEnded(() => readFileSync(`/proc/${path}`, 'utf8'), '')
}

/** The threads of a process, or none when it has ended. */
export function threadsOf(pid: number): readonly number[] {
  return unlessEnded(() => readdirSync(`/proc/${pid}/task`), []).map(Number)
}

/** All processes below this one. */
export function descendantsOf(pid: number): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    readProc(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

/** A field of /proc/pid/status that is a size, in bytes: VmHWM for one. */
export function memoryOf(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes = 0] =
    new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readProc(`${pid}/status`)) ?? []
  return Number(kilobytes) * 1024
}

/** Proportional memory of a process, in bytes: memory that processes share counts once. */
export function proportionalMemoryOf(pid: number): number {
  const [, kilobytes = 0] = /^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes) * 1024
}

/** CPU time of a thread, in ms, user and system together. */
export function cpuOfThread(pid: number, thread: number): number {
  return Number(readProc(`${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6
}

export function nameOfThread(pid: number, thread: number): string {
  return readProc(`${pid}/task/${thread}/comm`).trim()
}

function unlessEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_PROCESS.includes(String(error.code))) {
      return otherwise
    }
    throw error
  }
}
