import { appendFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'

/**
 * Loaded into all threads of a crawl by `--import`. Every ten seconds, each thread appends the number of timers that
 * keep it alive to the file named by `TIMER_PROBE`, as a line `thread count`.
 */
const { TIMER_PROBE: file } = process.env
if (file !== undefined) {
  setInterval(() => {
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    appendFileSync(file, `${threadId} ${timers.length}\n`)
  }, 10_000).unref()
}
