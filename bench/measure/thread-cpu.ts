import { cpuOfThread, nameOfThread, threadsOf } from './processes.ts'

/** CPU time of a crawl in milliseconds, by the purpose of its threads. */
export interface ThreadCpu {
  readonly coordinator: number
  readonly workers: number
  /** The threads of V8, mostly for garbage collection, and of libuv. */
  readonly others: number
}

export interface ThreadWatch {
  /** Returns the CPU time used so far; after the end of the crawl, the total. */
  read(): ThreadCpu
  stop(): void
}

/** Watches the threads of a crawl from outside. */
export function watchThreads(pid: number): ThreadWatch {
  const threads = new Map<number, { name: string; ms: number }>()
  const sample = () => {
    for (const thread of threadsOf(pid)) {
      const ms = cpuOfThread(pid, thread)
      const name = nameOfThread(pid, thread)
      if (ms > 0) threads.set(thread, { name, ms })
    }
  }
  const timer = setInterval(sample, 50)
  const sum = (belongs: (name: string, thread: number) => boolean) =>
    [...threads].reduce((total, [id, { name, ms }]) => total + (belongs(name, id) ? ms : 0), 0)
  const isWorker = (name: string) => /^worker \d+$/.test(name)
  return {
    read: () => {
      sample()
      return {
        coordinator: sum((_, thread) => thread === pid),
        workers: sum(isWorker),
        others: sum((name, thread) => thread !== pid && !isWorker(name)),
      }
    },
    stop: () => clearInterval(timer),
  }
}
