import type { StoredValue } from '../../database/stored-schemas.ts'
import { DamageError } from '../../errors.ts'
import type { HostShare, LeasedItem, LeaseReply } from '../job-queue.ts'
import { exchangeForm, pairsOf, parsedReply } from './stored-replies.ts'

/**
 * Parses the reply of `scripts/exchange.lua`.
 * @throws DamageError
 */
export function parseLeaseReply(reply: unknown): LeaseReply {
  const { lost, hosts, known } = parsedReply(exchangeForm, reply, 'its queue')
  return { lost, hosts: hosts.map(parseShare), known }
}

type RawShare = StoredValue<typeof exchangeForm>['hosts'][number]

function parseShare({ robots, urls, ...share }: RawShare): HostShare {
  const items = urls.map(parseItem)
  return robots === undefined
    ? { ...share, urls: items }
    : { ...share, urls: items, robots: pairsOf(robots) }
}

/** Parses `<depth> <attempts> <text>`. */
function parseItem([id, item]: readonly [id: string, item: string]): LeasedItem {
  const [, depth, attempts, text] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(item) ?? []
  if (text === undefined)
    throw new DamageError(`its queue: expected a URL, got ${item.slice(0, 60)}`)
  return { id, depth: Number(depth), attempts: Number(attempts), text }
}
