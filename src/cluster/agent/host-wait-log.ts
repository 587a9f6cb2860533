import { formatCount, formatSeconds } from '../../english-text.ts'
import type { Logger } from '../../logger.ts'
import type { PartitionView } from '../job-queue.ts'
import { countActive, sum } from '../partition-counts.ts'

/** Milliseconds without a host after which the wait is logged. */
const PATIENCE_MS = 5_000

/** Logs that this process waits because others, perhaps dead ones, lease all hosts. Also logs the end of the wait. */
export class HostWaitLog {
  readonly #logger: Logger
  readonly #lease: number
  /** Start of the wait, in milliseconds of the monotonic clock; undefined while there is none. */
  #since: number | undefined
  #isLogged = false

  /** @param lease milliseconds of `--lease` */
  constructor(logger: Logger, lease: number) {
    this.#logger = logger
    this.#lease = lease
  }

  /**
   * @param hosts number of hosts that this process leases
   * @param views views of all partitions
   */
  update(hosts: number, views: readonly PartitionView[], now: number): void {
    const others = countActive(views)
    const isWaiting = hosts === 0 && others > 0 && sum(views.map(({ free }) => free)) === 0
    if (isWaiting) this.#wait(others, now)
    else this.#end(hosts, now)
  }

  #wait(others: number, now: number): void {
    this.#since ??= now
    if (this.#isLogged || now - this.#since < PATIENCE_MS) return
    this.#isLogged = true
    const which =
      others === 1 ? 'the only host with URLs' : `all ${formatCount(others)} hosts with URLs`
    const message = `Waiting for a host: other processes have ${which}; a killed process keeps its hosts for up to ${formatSeconds(this.#lease)} (--lease)`
    this.#logger.info({ hosts: others }, message)
  }

  #end(hosts: number, now: number): void {
    // A free host doesn't end the wait: another process may take it, or it may not get a request yet.
    if (this.#isLogged && hosts === 0) return
    if (this.#isLogged && this.#since !== undefined) {
      const ms = Math.round(now - this.#since)
      this.#logger.info({ ms }, `Got a host after ${formatSeconds(ms)}`)
    }
    this.#since = undefined
    this.#isLogged = false
  }
}
