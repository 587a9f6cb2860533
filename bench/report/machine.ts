import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** Returns one line about the command, the day, the machine and its load, to print above figures. */
export function circumstances(command: string, loadBefore: number): string {
  const day = new Date().toISOString().slice(0, 10)
  return (
    `\`${command}\` on ${day}: ${machine()}, ${nginxVersion()}; ` +
    `load before the start ${loadBefore.toFixed(2)}.`
  )
}

export function machine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const cores = availableParallelism()
  return `${cpu?.model.trim()}, ${cores} cores, ${memory} GiB, Node ${process.version}`
}

/** Returns the average number of processes that ran in the last minute. */
export function loadNow(): number {
  return loadavg()[0] ?? Number.NaN
}

function nginxVersion(): string {
  const { stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  return /nginx\/\S+/.exec(stderr ?? '')?.[0]?.replace('/', ' ') ?? 'no nginx'
}
