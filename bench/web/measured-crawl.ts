import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crawlScript } from '../measure/crawl-process.ts'
import { memoryOf } from '../measure/processes.ts'
import { watchThreads } from '../measure/thread-cpu.ts'
import type { CrawlFiles } from './truth.ts'

const SAMPLE_MS = 50

export interface MeasuredCrawl {
  readonly pid: number
  readonly files: CrawlFiles
  readonly ended: Promise<CrawlCosts>
}

export interface CrawlCosts {
  readonly exitCode: number | null
  readonly seconds: number
  /** Seconds of CPU time of all threads, and of the main thread. */
  readonly cpuSeconds: number
  readonly mainSeconds: number
  readonly peakRss: number
}

/** Starts a crawl, and measures it. @param name start of the names of its files in the folder */
export function startMeasured(
  folder: string,
  name: string,
  args: readonly string[],
): MeasuredCrawl {
  const files = { visits: join(folder, `${name}.jsonl`), skipped: join(folder, `${name}.skipped`) }
  const start = existsSync(files.visits) ? statSync(files.visits).size : 0
  const outputs = ['-o', files.visits, '--skipped', files.skipped]
  const began = performance.now()
  const child = spawn(process.execPath, [crawlScript, ...args, ...outputs], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the crawl could not be started')
  const threads = watchThreads(pid)
  let peakRss = 0
  const timer = setInterval(() => {
    peakRss = Math.max(peakRss, memoryOf(pid, 'VmHWM'))
  }, SAMPLE_MS)
  const ended = once(child, 'exit').then(([exitCode]) => {
    clearInterval(timer)
    const { coordinator, workers, others } = threads.read()
    threads.stop()
    return {
      ...{ exitCode, seconds: (performance.now() - began) / 1_000, peakRss },
      cpuSeconds: (coordinator + workers + others) / 1_000,
      mainSeconds: coordinator / 1_000,
    }
  })
  return { pid, files: { ...files, start }, ended }
}
