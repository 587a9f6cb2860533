import { appendFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'

/**
 * Loaded into all threads of a crawl (`--import`): appends to the file that `TIMER_PROBE` names how many timers keep
 * each thread alive, every ten seconds, as `thread count` in a line.
 */
const { TIMER_PROBE: file } = process.env
if (file !== undefined) {
  setInterval(() => {
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    appendFileSync(file, `${threadId} ${timers.length}\n`)
  }, 10_000).unref()
}
