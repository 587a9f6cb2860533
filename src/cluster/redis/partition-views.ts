import { DamageError } from '../../errors.ts'
import type { PartitionView } from '../job-queue.ts'
import { partitionKey } from './keys.ts'
import { viewScript } from './scripts.ts'
import type { Servers } from './servers.ts'
import { parseReply, viewsForm } from './stored-replies.ts'

/**
 * Counts the URLs and hosts of all partitions of a job, in one round trip to each server.
 * @param maxDepth greatest depth that may be handed out
 */
export async function readPartitionViews(
  servers: Servers,
  job: string,
  partitions: number,
  maxDepth: number,
): Promise<PartitionView[]> {
  const script = viewScript()
  const all = Array.from({ length: partitions }, (_, index) => partitionKey(job, index))
  const views = new Map<string, PartitionView>()
  const groups = [...Map.groupBy(all, (key) => servers.of(key))].flatMap(([server, keys]) =>
    server.isCluster ? keys.map((key) => ({ server, keys: [key] })) : [{ server, keys }],
  )
  await Promise.all(
    groups.map(async ({ server, keys }) => {
      const reply = await server.evaluate(script, keys, [String(maxDepth)])
      for (const [place, view] of parseReply(viewsForm, reply, 'its counts').entries()) {
        checkCounts(view, maxDepth)
        views.set(keys[place] ?? '', view)
      }
    }),
  )
  return all.flatMap((key) => views.get(key) ?? [])
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
