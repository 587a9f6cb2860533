import * as v from 'valibot'
import { NestingError, parseBoundedJson } from '../bounded-json.ts'
import { countOf } from '../english-text.ts'
import { DamageError } from '../errors.ts'
import { shortened } from '../printable-text.ts'
import { MAX_TIMER_MS } from '../runtime/max-timer.ts'
import { hostKey } from '../url/host-key.ts'
import { MAX_URL_LENGTH } from '../url/resolve.ts'

/** The expected form of a value that is read back. */
export type Schema<T = unknown> = v.GenericSchema<unknown, T>

/** Type of the values of a schema. */
export type StoredValue<F extends Schema> = v.InferOutput<F>

type Entries = Readonly<Record<string, Schema | v.ExactOptionalSchema<Schema, undefined>>>
type Fields<E extends Entries> = Readonly<v.InferOutput<v.ObjectSchema<E, string>>>

/** Any value: other code checks it. */
export const unknown: Schema = v.unknown()

export const text: Schema<string> = v.string('text')

export const wholeNumber: Schema<number> = v.pipe(
  v.number('a number'),
  v.safeInteger('a whole number'),
)

export const count: Schema<number> = v.pipe(
  wholeNumber,
  v.check(isNonNegative, 'a number of at least 0'),
)

export const bytes: Schema<Uint8Array> = v.instance(Uint8Array, 'bytes')

export const flag: Schema<boolean> = v.boolean('true or false')

/** A number that is only displayed, or 0 instead of another value: JSON has no infinity. */
export const displayNumber: Schema<number> = v.fallback(v.number(), 0)

/** Latest time that a date can represent, in milliseconds since 1970. */
export const LATEST_TIME = 8.64e15

/** Milliseconds since 1970. */
export const time: Schema<number> = numberWithin(-LATEST_TIME, LATEST_TIME, 'a time')

/** Milliseconds, within the range of a timer. */
export const duration: Schema<number> = numberWithin(0, MAX_TIMER_MS, 'a duration')

/** A canonical URL. */
export const httpUrl: Schema<string> = v.pipe(
  v.string('an http URL'),
  v.check(isHttpUrl, 'an http URL'),
)

/** @param name name of the set of values, for messages */
export function oneOf<const T extends readonly (string | number)[]>(
  values: T,
  name: string,
): Schema<T[number]> {
  return v.picklist(values, name)
}

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return v.nullable(schema)
}

/** An entry of a record that may be absent. */
export function optional<T>(schema: Schema<T>): v.ExactOptionalSchema<Schema<T>, undefined> {
  return v.exactOptional(schema)
}

/** One of two forms. */
export function union<A, B>(one: Schema<A>, other: Schema<B>, name: string): Schema<A | B> {
  return v.union([one, other], name)
}

export function pair<A, B>(first: Schema<A>, second: Schema<B>): Schema<readonly [A, B]> {
  return v.tuple([first, second], 'a pair')
}

export function list<T>(each: Schema<T>): Schema<readonly T[]> {
  return v.array(each, 'a list')
}

/** A list in JSON of a Redis script, which encodes an empty list as an empty object. */
export function luaList<T>(each: Schema<T>): Schema<readonly T[]> {
  const empty = v.pipe(
    v.strictObject({}),
    v.transform((): readonly T[] => []),
  )
  return v.union([list(each), empty], 'a list')
}

/** An object; other entries are dropped. */
export function record<E extends Entries>(entries: E): Schema<Fields<E>> {
  return v.object(entries, 'an object')
}

/** An object; other entries are kept. */
export function looseRecord<E extends Entries>(entries: E): Schema<Fields<E>> {
  return v.looseObject(entries, 'an object')
}

/** An object with arbitrary keys. */
export function dictionary<T>(each: Schema<T>): Schema<Readonly<Record<string, T>>> {
  const isNoList = v.check((value: unknown) => !Array.isArray(value), 'an object')
  return v.pipe(v.unknown(), isNoList, v.record(v.string(), each, 'an object'))
}

/** A value that only a type guard can recognize. */
export function guarded<T>(isOne: (value: unknown) => value is T, name: string): Schema<T> {
  return v.custom<T>(isOne, name)
}

/**
 * Validates a value that was read back.
 * @param place where the value was stored, for the message
 * @throws DamageError when it has another form
 */
export function parseStored<T>(schema: Schema<T>, value: unknown, place: string): T {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const path = v.getDotPath(issue)
  const where = path === null ? place : `${place}.${path}`
  throw new DamageError(`${where}: expected ${issue.message}, got ${shown(issue.input)}`)
}

/**
 * Parses and validates JSON that was read back.
 * @throws DamageError as `parseStored`
 */
export function parseStoredJson<T>(schema: Schema<T>, json: unknown, place: string): T {
  const value = parseJson(parseStored(text, json, place), place)
  return parseStored(schema, value, place)
}

function parseJson(json: string, place: string): unknown {
  try {
    return parseBoundedJson(json)
  } catch (error) {
    if (error instanceof NestingError) throw new DamageError(`${place}: ${error.message}`)
    throw new DamageError(`${place}: expected JSON, got ${shown(json)}`)
  }
}

function numberWithin(min: number, max: number, name: string): Schema<number> {
  return v.pipe(v.number(name), v.minValue(min, name), v.maxValue(max, name))
}

function isNonNegative(number: number): boolean {
  return number >= 0
}

/** Canonical URLs have no other characters. URL.parse ignores line breaks, which would then get into a request. */
const VISIBLE_ASCII = /^[\x21-\x7e]*$/

/** Returns whether a text is a canonical URL. */
export function isHttpUrl(url: string): boolean {
  if (url.length > MAX_URL_LENGTH || !VISIBLE_ASCII.test(url)) return false
  const { protocol = '', host = '' } = URL.parse(url) ?? {}
  return /^https?:$/.test(protocol) && host === hostKey(url)
}

/**
 * Returns a fast test for canonical URLs of one host: the host is parsed only once, and the URLs are not parsed. It is
 * false for URLs of other hosts, and for URLs with user and password.
 */
export function urlTestFor(hostKey: string): (value: unknown) => boolean {
  const start = `http://${hostKey}/`
  const secureStart = `https://${hostKey}/`
  const isHost = isHttpUrl(start)
  return (value) =>
    isHost &&
    typeof value === 'string' &&
    (value.startsWith(start) || value.startsWith(secureStart)) &&
    value.length <= MAX_URL_LENGTH &&
    VISIBLE_ASCII.test(value)
}

const MAX_SHOWN = 60

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return countOf(value.length, 'byte')
  const json = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
  return shortened(json, MAX_SHOWN)
}
