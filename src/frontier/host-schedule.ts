import { Fifo } from './fifo.ts'
import { Heap } from './heap.ts'
import type { HostQueue } from './host-queue.ts'

/** Which host is next: those that are ready take turns, those that are snoozed wait for their time. */
export class HostSchedule {
  readonly #ready = new Fifo<HostQueue>()
  readonly #snoozed = new Heap<HostQueue>()

  /** Milliseconds of the monotonic clock when the next host is ready; undefined when none waits. */
  get wakeAt(): number | undefined {
    return this.#ready.size > 0 ? 0 : this.#snoozed.firstAt
  }

  /** Puts a host where its status says; to be called whenever that may have changed. */
  place(host: HostQueue, now: number): void {
    if (host.placed !== 'nowhere') return
    const status = host.status(now)
    if (status === 'ready') {
      host.placed = 'ready'
      this.#ready.push(host)
    } else if (status === 'snoozed') {
      host.placed = 'snoozed'
      this.#snoozed.push(host.notBefore, host)
    }
  }

  /** Takes the host whose turn it is. Its status was ready when it was placed: ask again. */
  next(now: number): HostQueue | undefined {
    for (let due = this.#snoozed.popDue(now); due !== undefined; due = this.#snoozed.popDue(now)) {
      due.placed = 'nowhere'
      this.place(due, now)
    }
    const host = this.#ready.shift()
    if (host !== undefined) host.placed = 'nowhere'
    return host
  }
}
