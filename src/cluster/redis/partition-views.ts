import { DamageError } from '../../errors.ts'
import type { PartitionView } from '../job-queue.ts'
import { parseReply, viewsForm } from './reply-schemas.ts'
import { viewScript } from './scripts.ts'
import type { Servers } from './servers.ts'

/** The key of a partition, and the mark that it must have. */
export interface PartitionMark {
  readonly key: string
  readonly mark: string
}

/**
 * Counts the URLs and hosts of all partitions of a job, in one round trip to each server.
 * @param partitions of the job, in order
 * @param maxDepth greatest depth that may be handed out
 */
export async function readPartitionViews(
  servers: Servers,
  partitions: readonly PartitionMark[],
  maxDepth: number,
): Promise<PartitionView[]> {
  const script = viewScript()
  const marks = new Map(partitions.map(({ key, mark }) => [key, mark]))
  const all = [...marks.keys()]
  const views = new Map<string, PartitionView>()
  const groups = [...Map.groupBy(all, (key) => servers.of(key))].flatMap(([server, keys]) =>
    server.isCluster ? keys.map((key) => ({ server, keys: [key] })) : [{ server, keys }],
  )
  await Promise.all(
    groups.map(async ({ server, keys }) => {
      const reply = await server.evaluate(script, keys, [String(maxDepth)])
      const replies = parseReply(viewsForm, reply, 'its counts')
      for (const [place, { mark, ...view }] of replies.entries()) {
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
    throw new DamageError(`its counts: expected those of the URLs of ${free} hosts, got none`)
  }
  const urls = open.reduce((sum, [depth, count]) => sum + (depth <= maxDepth ? count : 0), 0)
  if (urls === 0 || active > 0) return
  throw new DamageError(
    `its counts: expected a host of ${urls} URLs that are not finished, got none`,
  )
}
