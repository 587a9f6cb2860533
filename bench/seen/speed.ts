import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SEEN_SET_NAMES, type SeenName } from '../../src/seen/seen-set.ts'
import { allocateSeenSet, discardSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import { median, spreadOf } from '../measure/statistics.ts'
import { type BarGroup, barChart } from '../report/chart.ts'
import { table } from '../report/readme.ts'
import type { SpeedAnswer, SpeedRequest, SpeedSetup } from './speed-worker.ts'

const THREADS = [1, 2, 4, 8]
const MOST = 8
const ROUNDS = 5
const RUN_MS = 400
const KNOWN = { path: 'in', urls: 20_000 } as const
const NEW_URLS = 50_000

/** Measurements by number of threads, one figure per round. */
interface Speeds {
  readonly name: SeenName
  /** Known URLs in millions per second of CPU time of a thread. */
  readonly perThread: ReadonlyMap<number, number[]>
  /** Known URLs in millions per second of all threads together. */
  readonly together: ReadonlyMap<number, number[]>
  /** Nanoseconds of CPU time of a thread per new URL. */
  readonly fresh: number[]
}

/** Measures a strategy in rounds. Each round runs all numbers of threads, so that other load affects all of them. */
async function speedsOf(name: SeenName): Promise<Speeds> {
  const memory = allocateSeenSet({ name, expectedUrls: 1_000_000, falsePositiveRate: 0.001 })
  const workers = Array.from({ length: MOST }, (_, index) => {
    const workerData: SpeedSetup = { memory, owner: index + 1 }
    return new Worker(new URL('./speed-worker.ts', import.meta.url), { workerData })
  })
  const ask = (threads: number, request: SpeedRequest) => askOf(workers.slice(0, threads), request)
  const known = (threads: number) => ask(threads, { ...KNOWN, until: soon() })
  const perThread = new Map(THREADS.map((threads) => [threads, [] as number[]]))
  const together = new Map(THREADS.map((threads) => [threads, [] as number[]]))
  const fresh: number[] = []
  // Adds the URLs, and lets each thread compile its code.
  for (let warm = 0; warm < 3; warm++) await known(MOST)
  for (let round = 0; round < ROUNDS; round++) {
    for (const threads of THREADS) {
      const { asked, microseconds } = await known(threads)
      perThread.get(threads)?.push(asked / microseconds)
      together.get(threads)?.push(asked / (RUN_MS * 1_000))
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const { asked, microseconds } = await ask(1, { path: `new-${round}`, urls: NEW_URLS })
    fresh.push((microseconds * 1_000) / asked)
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
  discardSeenSet(memory)
  return { name, perThread, together, fresh }
}

function soon(): bigint {
  return process.hrtime.bigint() + BigInt(RUN_MS * 1_000_000)
}

/** Sends a request to each of the threads. Returns the sums of their replies. */
async function askOf(workers: readonly Worker[], request: SpeedRequest): Promise<SpeedAnswer> {
  const answers: SpeedAnswer[] = await Promise.all(
    workers.map(async (worker) => {
      const answer = once(worker, 'message')
      worker.postMessage(request)
      return (await answer)[0]
    }),
  )
  const sumOf = (field: keyof SpeedAnswer) => answers.reduce((sum, each) => sum + each[field], 0)
  return { asked: sumOf('asked'), microseconds: sumOf('microseconds') }
}

/** Measures the speed with 1 to 8 threads. Returns a table of medians, and a chart. */
export async function speeds(): Promise<{ markdown: string; svg: string }> {
  const all: Speeds[] = []
  for (const name of SEEN_SET_NAMES) all.push(await speedsOf(name))
  const shown = (runs: Iterable<number[]>) => [...runs].map((each) => median(each).toFixed(2))
  const rows = all.map(({ name, perThread, together, fresh }) => [
    ...[name, ...shown(perThread.values()), ...shown(together.values())],
    median(fresh).toFixed(0),
  ])
  const head = THREADS.map((threads) => `${threads} ${threads === 1 ? 'thread' : 'threads'}`)
  const whole = THREADS.map((threads) => `${threads} together`)
  return {
    markdown: table(['--seen', ...head, ...whole, 'ns when new'], rows),
    svg: barChart('Known URLs, thousands per thread and second of CPU time', all.map(groupOf)),
  }
}

function groupOf({ name, perThread }: Speeds): BarGroup {
  const bars = [...perThread].map(([threads, runs]) => ({
    label: `${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    ...spreadOf(runs.map((speed) => speed * 1_000)),
  }))
  return { title: name, bars }
}
