import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { descendantsOf, memoryOf } from './processes.ts'

export interface TimedRun {
  readonly exitCode: number
  readonly wallMs: number
  /** User and system time of the command, and of all processes that it started and waited for. */
  readonly cpuMs: number
  /** Sum of the peak resident memory of its processes, in bytes. */
  readonly peakRss: number
}

export interface RunOptions {
  readonly cwd?: string
  /** Milliseconds after which the command is killed; by default an hour. */
  readonly timeout?: number
}

// bash prints the times of wait4 with three decimals. The output of the command is dropped.
const SCRIPT = 'TIMEFORMAT=\'%R %U %S\'; time "$@" >/dev/null 2>&1'
const SAMPLE_MS = 20

/** Runs a command to its end, and measures only that command. */
export async function timedRun(
  command: readonly string[],
  { cwd, timeout = 3_600_000 }: RunOptions = {},
): Promise<TimedRun> {
  const shell = spawn('bash', ['-c', SCRIPT, 'bash', ...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const { pid } = shell
  if (pid === undefined) throw new Error('bash could not be started')
  const memory = watchMemory(pid)
  const kill = () => process.kill(-pid, 'SIGKILL')
  const deadline = setTimeout(kill, timeout)
  process.once('exit', kill)
  const [times, [exitCode]] = await Promise.all([text(shell.stderr), once(shell, 'close')])
  clearTimeout(deadline)
  process.off('exit', kill)
  const [wall = 0, user = 0, system = 0] = times.trim().split(' ').map(Number)
  return {
    exitCode: exitCode ?? 1,
    wallMs: wall * 1_000,
    cpuMs: (user + system) * 1_000,
    peakRss: memory.stop(),
  }
}

function watchMemory(shell: number): { stop(): number } {
  const peaks = new Map<number, number>()
  const timer = setInterval(() => {
    for (const pid of descendantsOf(shell)) {
      const peak = memoryOf(pid, 'VmHWM')
      if (peak > 0) peaks.set(pid, peak)
    }
  }, SAMPLE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return [...peaks.values()].reduce((sum, peak) => sum + peak, 0)
    },
  }
}
