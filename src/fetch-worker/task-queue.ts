/** @param free to be called if the task only waits from then on: another one may begin */
type Task = (free: () => void) => Promise<void>

/** Runs tasks in the order in which they were added, at most `concurrency` at a time. */
export class TaskQueue {
  readonly #concurrency: number
  readonly #waiting: Task[] = []
  /** Index of the first one that waits: taking it from the array would move all others. */
  #next = 0
  #running = 0

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  /** A task that fails ends the thread. */
  add(task: Task): void {
    if (this.#running < this.#concurrency) this.#start(task)
    else this.#waiting.push(task)
  }

  #start(task: Task): void {
    this.#running++
    let isFree = false
    const free = () => {
      if (isFree) return
      isFree = true
      this.#running--
      this.#startNext()
    }
    void task(free).then(free)
  }

  #startNext(): void {
    const task = this.#waiting[this.#next]
    if (task === undefined) return
    this.#next++
    if (this.#next === this.#waiting.length) {
      this.#waiting.length = 0
      this.#next = 0
    }
    this.#start(task)
  }
}
