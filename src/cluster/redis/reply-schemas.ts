import {
  count,
  dictionary,
  displayNumber,
  flag,
  guarded,
  httpUrl,
  luaList,
  oneOf,
  optional,
  pair,
  parseStoredJson,
  record,
  type Schema,
  type StoredValue,
  text,
  unknown,
  wholeNumber,
} from '../../database/validate-stored-values.ts'
import { CrawlerError, DamageError } from '../../errors.ts'
import {
  type HandedOutUrl,
  JOB_STATES,
  type LeasedHostUrls,
  type LeaseReply,
} from '../job-queue.ts'

// Schemas of all data of a job that is read back. It has to be checked, since anybody with the password of Redis may
// have written it.

const MAX_PARTITIONS = 1_024

export const stateSchema = oneOf(JOB_STATES, 'a state of a job')

const shownFields = {
  state: stateSchema,
  partitions: guarded(isPartitions, 'a number of partitions'),
  created: text,
}

export const shownJobSchema = record(shownFields)
export const jobSchema = record({ ...shownFields, settings: text, secret: text })

export const settingsSchema = dictionary(unknown)
export const secretSchema = pair(wholeNumber, wholeNumber)

export const beatSchema = record({
  state: stateSchema,
  agents: count,
  hungry: count,
  widened: luaList(httpUrl),
  found: luaList(guarded(isFinding, 'what was found of a host')),
  now: text,
})

export const viewsSchema = luaList(
  record({
    now: count,
    mark: text,
    added: count,
    visits: count,
    bytes: count,
    free: count,
    orphans: count,
    active: count,
    endsIn: optional(count),
    open: luaList(pair(count, count)),
  }),
)

const exchangeSchema = record({
  lost: luaList(text),
  hosts: luaList(
    record({
      host: text,
      epoch: text,
      urls: luaList(pair(text, text)),
      hasMore: flag,
      wait: optional(displayNumber),
      lostFor: optional(displayNumber),
      past: optional(text),
      robots: optional(luaList(text)),
    }),
  ),
  known: count,
})

function isFinding(value: unknown): value is string {
  return typeof value === 'string' && /^(?:public|private) [^ ]+$/.test(value)
}

function isPartitions(value: unknown): value is string {
  return (
    typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MAX_PARTITIONS
  )
}

/** Converts a list in which keys and values alternate, such as Redis returns for a HASH, to pairs. */
function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, pair) => [
    flat[2 * pair] ?? '',
    flat[2 * pair + 1] ?? '',
  ])
}

/** Returns the fields of a HASH from a reply of Redis. */
export function fieldsOf(reply: unknown): Record<string, string> {
  return Object.fromEntries(pairsOf(Array.isArray(reply) ? reply.map(String) : []))
}

/**
 * Parses the JSON reply of a script.
 * @throws DamageError if it doesn't match the schema
 */
export function parseReply<S extends Schema>(
  schema: S,
  reply: unknown,
  place: string,
): StoredValue<S> {
  return parseStoredJson(schema, String(reply), place)
}

/**
 * Parses the reply of `scripts/exchange.lua`.
 * @throws DamageError if it doesn't match the schema
 */
export function parseLeaseReply(reply: unknown): LeaseReply {
  const { lost, hosts, known } = parseReply(exchangeSchema, reply, 'its queue')
  return { lost, hosts: hosts.map(parseHostUrls), known }
}

type RawHostUrls = StoredValue<typeof exchangeSchema>['hosts'][number]

function parseHostUrls({ robots, urls, ...others }: RawHostUrls): LeasedHostUrls {
  const parsed = urls.map(parseUrl)
  return robots === undefined
    ? { ...others, urls: parsed }
    : { ...others, urls: parsed, robots: pairsOf(robots) }
}

/** Parses `<depth> <attempts> <text>`. */
function parseUrl([id, stored]: readonly [id: string, stored: string]): HandedOutUrl {
  const [, depth, attempts, text] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(stored) ?? []
  if (text === undefined)
    throw new DamageError(`its queue: expected a URL, got ${stored.slice(0, 60)}`)
  return { id, depth: Number(depth), attempts: Number(attempts), text }
}

/** Returns an error with a message for the user if damaged data of a job caused `error`, and `error` otherwise. */
export function describeDamage(job: string, error: unknown): unknown {
  if (!(error instanceof DamageError)) return error
  const message = `job ${job} is damaged in Redis: ${error.message}`
  return new CrawlerError('redis', message, { cause: error })
}
