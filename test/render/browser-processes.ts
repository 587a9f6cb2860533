import { readdirSync, readFileSync } from 'node:fs'

interface RunningProcess {
  readonly pid: number
  readonly parent: number
  readonly command: string
  /** The content of /proc/<pid>/status. */
  readonly status: string
}

/** Returns the processes of this machine that have not ended. */
export function runningProcesses(): RunningProcess[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.flatMap((name) => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const [, , state, parent] =
        /^(\d+) \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      return state === 'Z' ? [] : [{ pid: Number(name), command, status, parent: Number(parent) }]
    } catch {
      return [] // It has ended.
    }
  })
}

/** Returns the processes of browsers that render pages for this process. */
export function browserProcesses(): RunningProcess[] {
  const processes = runningProcesses()
  const ours = new Set([process.pid])
  for (let size = 0; size < ours.size; ) {
    size = ours.size
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid)
  }
  return processes.filter(
    ({ pid, command }) =>
      pid !== process.pid && ours.has(pid) && command.includes('orbweaver-browser-'),
  )
}
