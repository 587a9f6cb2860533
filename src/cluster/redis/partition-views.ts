import { countOf } from '../../english-text.ts'
import { DamageError } from '../../errors.ts'
import { monotonicTime } from '../../throttle/monotonic-time.ts'
import type { PartitionView } from '../job-queue.ts'
import { ServerClock } from '../server-clock.ts'
import { parseReply, viewsSchema } from './reply-schemas.ts'
import { viewScript, watchScript } from './scripts.ts'
import type { Servers } from './servers.ts'

/** The key of a partition, and the mark that it must have. */
export interface PartitionMark {
  readonly key: string
  readonly mark: string
}

/** Clocks of the servers with partitions, one for each call, by the first key of the call. */
export class PartitionClocks {
  readonly #clocks = new Map<string, ServerClock>()

  of([key = '']: readonly string[]): ServerClock {
    const clock = this.#clocks.get(key) ?? new ServerClock()
    this.#clocks.set(key, clock)
    return clock
  }
}

/** Options for watching leases. */
export interface LeaseWatch {
  /** Length of a lease in milliseconds. */
  readonly ttl: number
  /**
   * Clocks of the servers. They distinguish times in which a server was unavailable from times in which no agent
   * called.
   */
  readonly clocks: PartitionClocks
  /** Milliseconds of the longest wait of another call since the last watch. */
  readonly waited: number
}

/**
 * Counts the URLs and hosts of all partitions of a job, in one round trip to each server.
 * @param partitions of the job, in order
 * @param maxDepth greatest depth that may be handed out
 * @param watch takes back leases that have expired; without it, nothing is changed
 */
export async function readPartitionViews(
  servers: Servers,
  partitions: readonly PartitionMark[],
  maxDepth: number,
  watch?: LeaseWatch,
): Promise<PartitionView[]> {
  const script = watch === undefined ? viewScript() : watchScript()
  const marks = new Map(partitions.map(({ key, mark }) => [key, mark]))
  const all = [...marks.keys()]
  const views = new Map<string, PartitionView>()
  const groups = [...Map.groupBy(all, (key) => servers.of(key))].flatMap(([server, keys]) =>
    server.isCluster ? keys.map((key) => ({ server, keys: [key] })) : [{ server, keys }],
  )
  await Promise.all(
    groups.map(async ({ server, keys }) => {
      const expected = keys.map((key) => marks.get(key) ?? '')
      const clock = watch?.clocks.of(keys)
      const sent = monotonicTime()
      const called = clock?.serverTime(sent - (watch?.waited ?? 0))?.toFixed(0) ?? ''
      const args = [`${maxDepth}`, `${watch?.ttl ?? 0}`, called, ...expected]
      const reply = await server.evaluate(script, keys, args)
      const replies = parseReply(viewsSchema, reply, 'its counts')
      const [first] = replies
      if (first !== undefined) clock?.compare(first.now, sent, monotonicTime())
      for (const [place, { mark, now: _, ...view }] of replies.entries()) {
        const key = keys[place] ?? ''
        checkMark(key, mark, marks.get(key))
        checkCounts(view, maxDepth)
        views.set(key, view)
      }
    }),
  )
  return all.flatMap((key) => views.get(key) ?? [])
}

/**
 * Refuses keys that are missing, or that belong to another job or partition: URLs would be lost, or fetched again.
 * @throws DamageError
 */
function checkMark(key: string, mark: string, expected: string | undefined): void {
  if (mark === expected) return
  const problem = mark === '' ? 'it is gone' : 'it belongs to another job'
  throw new DamageError(`${key}: ${problem}`)
}

/**
 * Refuses URLs without a host: no agent would ever get them, and the job would not end. Also refuses hosts with URLs
 * that are not counted: the job would end, and these URLs would be lost. Scripts change a partition in one step, so
 * only damaged data has these contradictions.
 * @throws DamageError
 */
function checkCounts({ open, active, free }: PartitionView, maxDepth: number): void {
  if (open.length === 0 && free > 0) {
    throw new DamageError(`expected counts for the URLs of ${countOf(free, 'host')}, got none`)
  }
  const urls = open.reduce((sum, [depth, count]) => sum + (depth <= maxDepth ? count : 0), 0)
  if (urls === 0 || active > 0) return
  throw new DamageError(`expected a host for ${countOf(urls, 'unfinished URL')}, got none`)
}
