import { DamageError } from '../../errors.ts'
import type { PartitionView } from './exchange.ts'
import { viewScript } from './scripts.ts'
import type { Servers } from './servers.ts'
import { parsedReply, viewsForm } from './stored-replies.ts'

/**
 * How all partitions of a job stand, in one round trip to each server.
 * @param horizon greatest depth that may be handed out
 */
export async function readPartitionViews(
  servers: Servers,
  job: string,
  partitions: number,
  horizon: number,
): Promise<PartitionView[]> {
  const script = viewScript()
  const all = Array.from({ length: partitions }, (_, index) => partitionKey(job, index))
  const views = new Map<string, PartitionView>()
  const groups = [...Map.groupBy(all, (key) => servers.of(key))].flatMap(([server, keys]) =>
    server.isCluster ? keys.map((key) => ({ server, keys: [key] })) : [{ server, keys }],
  )
  await Promise.all(
    groups.map(async ({ server, keys }) => {
      const reply = await server.evaluate(script, keys, [String(horizon)])
      for (const [place, view] of parsedReply(viewsForm, reply, 'its counts').entries()) {
        checkCounts(view, horizon)
        views.set(keys[place] ?? '', view)
      }
    }),
  )
  return all.flatMap((key) => views.get(key) ?? [])
}

/**
 * A script changes all of a partition in one step: URLs that are counted have a host, or nobody would ever hand
 * them out, and the job would have no end.
 */
function checkCounts({ open, active }: PartitionView, horizon: number): void {
  const urls = open.reduce((sum, [depth, count]) => sum + (depth <= horizon ? count : 0), 0)
  if (urls === 0 || active > 0) return
  throw new DamageError(
    `its counts: expected a host of ${urls} URLs that are not finished, got none`,
  )
}

/** URLs of some partitions that are not finished. */
export function countOpen(views: readonly PartitionView[]): number {
  return sum(views.flatMap(({ open }) => open.map(([, count]) => count)))
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** What the keys of a partition begin with. */
export function partitionKey(job: string, partition: number): string {
  return `ow:{${job}:${partition}}`
}
