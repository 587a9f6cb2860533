import { countOf } from '../../english-text.ts'
import { DamageError } from '../../errors.ts'
import { monotonicTime } from '../../throttle/monotonic-time.ts'
import type { PartitionView } from '../job-queue.ts'
import { ServerClock } from '../server-clock.ts'
import { parseReply, viewsForm } from './reply-schemas.ts'
import { viewScript, watchScript } from './scripts.ts'
import type { Servers } from './servers.ts'

/** The key of a partition, and the mark that it must have. */
export interface PartitionMark {
  readonly key: string
  readonly mark: string
}

/** The clocks of the servers that partitions are on: one for each call, by its first key. */
export class PartitionClocks {
  readonly #clocks = new Map<string, ServerClock>()

  of([key = '']: readonly string[]): ServerClock {
    const clock = this.#clocks.get(key) ?? new ServerClock()
    this.#clocks.set(key, clock)
    return clock
  }
}

/** How an agent watches leases. */
export interface LeaseWatch {
  /** Length of a lease in milliseconds. */
  readonly ttl: number
  /** Tell the time in which a server was away from that in which no agent called. */
  readonly clocks: PartitionClocks
  /** Milliseconds that other calls of the agent waited just before. */
  readonly waited: number
}

/**
 * Counts the URLs and hosts of all partitions of a job, in one round trip to each server.
 * @param partitions of the job, in order
 * @param maxDepth greatest depth that may be handed out
 * @param watch to take back leases that have ended; nothing is changed without
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
      const replies = parseReply(viewsForm, reply, 'its counts')
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

/** Refuses keys of another job or partition, and those that are gone: their URLs would be lost, or fetched again. */
function checkMark(key: string, mark: string, expected: string | undefined): void {
  if (mark === expected) return
  const problem = mark === '' ? 'it is gone' : 'it belongs to another job'
  throw new DamageError(`${key}: ${problem}`)
}

/**
 * Refuses counts of URLs without a host: nobody would ever hand those out, and the job would not end. Refuses hosts
 * with URLs without counts, too: the job would end, and those be lost. Scripts change all of a partition in one step,
 * so only damaged data looks like that.
 */
function checkCounts({ open, active, free }: PartitionView, maxDepth: number): void {
  if (open.length === 0 && free > 0) {
    throw new DamageError(
      `its counts: expected those of the URLs of ${countOf(free, 'host')}, got none`,
    )
  }
  const urls = open.reduce((sum, [depth, count]) => sum + (depth <= maxDepth ? count : 0), 0)
  if (urls === 0 || active > 0) return
  throw new DamageError(
    `its counts: expected a host of ${countOf(urls, 'unfinished URL')}, got none`,
  )
}
