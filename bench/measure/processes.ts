import { readdirSync, readFileSync } from 'node:fs'

const NO_PROCESS = ['ENOENT', 'ESRCH']

/** Reads a file of /proc. Returns an empty text if the process has ended meanwhile. */
function readProc(path: string): string {
  return unlessEnded(() => readFileSync(`/proc/${path}`, 'utf8'), '')
}

/** Returns the threads of a process; none if it has ended. */
export function threadsOf(pid: number): readonly number[] {
  return unlessEnded(() => readdirSync(`/proc/${pid}/task`), []).map(Number)
}

/** Returns all direct and indirect child processes of a process. */
export function descendantsOf(pid: number): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    readProc(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

/** Returns a size from /proc/pid/status in bytes. */
export function memoryOf(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes = 0] =
    new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readProc(`${pid}/status`)) ?? []
  return Number(kilobytes) * 1024
}

/** Returns the proportional memory of a process in bytes: shared memory is divided among its processes. */
export function proportionalMemoryOf(pid: number): number {
  const [, kilobytes = 0] = /^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`)) ?? []
  return Number(kilobytes) * 1024
}

/** Returns the user and system CPU time of a thread in milliseconds. */
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
