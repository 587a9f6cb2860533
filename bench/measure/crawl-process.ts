import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryOf } from './processes.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const workFolder = here('../../tmp/bench')
export const crawlScript = here('../../bin/crawl.js')

export interface CrawlProcess {
  readonly pid: number
  /** Returns the current resident memory in bytes. */
  rss(): number
  /** Resolves with the summary at the end of the log; rejects if the crawl fails. */
  readonly ended: Promise<Summary>
}

/** The fields of the last line of the log that are read here, and the peak memory. */
interface Summary {
  readonly visits: number
  readonly queued: number
  readonly peakRss: number
}

const OPTIONS = ['--depth', '1000000', '--ignore-robots', '--overwrite', '--log-level', 'info']

/** Starts the command line program in the same way as users do, with a file for its records. */
export function startCrawl(args: readonly string[]): CrawlProcess {
  mkdirSync(workFolder, { recursive: true })
  const [visits, log] = [join(workFolder, 'visits.jsonl'), join(workFolder, 'crawl.log')]
  rmSync(log, { force: true })
  const command = [crawlScript, ...args, ...OPTIONS, '-o', visits]
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the crawl could not be started')
  let peakRss = 0
  const watch = setInterval(() => {
    peakRss = Math.max(peakRss, memoryOf(pid, 'VmHWM'))
  }, 20)
  const ended = once(child, 'exit').then(([code]) => {
    clearInterval(watch)
    rmSync(visits, { force: true })
    if (code !== 0) throw new Error(`exit code ${code}: ${readFileSync(log, 'utf8').slice(-500)}`)
    return { ...summaryIn(log), peakRss }
  })
  return { pid, rss: () => memoryOf(pid, 'VmRSS'), ended }
}

function summaryIn(log: string): Omit<Summary, 'peakRss'> {
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '{}'
  return JSON.parse(last)
}
