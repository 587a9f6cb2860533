import { formatCount, formatSeconds } from '../../english-text.ts'
import type { Logger } from '../../logger.ts'
import type { PartitionView } from '../job-queue.ts'
import { countActive, sum } from '../partition-counts.ts'

/** Milliseconds without a host before that is logged. */
const PATIENCE_MS = 5_000

/** Logs that a process waits for hosts that others lease, perhaps dead ones, and that it has some again. */
export class HostWaitLog {
  readonly #logger: Logger
  readonly #lease: number
  /** When the wait began, in milliseconds of the monotonic clock; undefined while there is none. */
  #since: number | undefined
  #isLogged = false

  /** @param lease milliseconds of `--lease` */
  constructor(logger: Logger, lease: number) {
    this.#logger = logger
    this.#lease = lease
  }

  /**
   * @param hosts number of hosts that this process leases
   * @param views of all partitions
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
    // Hosts that came free may be taken by others, or have to wait.
    if (this.#isLogged && hosts === 0) return
    if (this.#isLogged && this.#since !== undefined) {
      const ms = Math.round(now - this.#since)
      this.#logger.info({ ms }, `Got a host after ${formatSeconds(ms)}`)
    }
    this.#since = undefined
    this.#isLogged = false
  }
}
