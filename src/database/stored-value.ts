import * as v from 'valibot'
import { DamageError } from '../errors.ts'
import { hostKey } from '../url/host-key.ts'

/** Expected form of a value that is read back. */
export type Form<T = unknown> = v.GenericSchema<unknown, T>

/** Type of the values of a form. */
export type Stored<F extends Form> = v.InferOutput<F>

type Entries = Readonly<Record<string, Form | v.ExactOptionalSchema<Form, undefined>>>
type Fields<E extends Entries> = Readonly<v.InferOutput<v.ObjectSchema<E, string>>>

/** Anything: other code checks it. */
export const unknown: Form = v.unknown()

export const text: Form<string> = v.string('a text')

export const wholeNumber: Form<number> = v.pipe(
  v.number('a number'),
  v.safeInteger('a whole number'),
)

export const count: Form<number> = v.pipe(wholeNumber, v.check(isPositive, 'a number from 0'))

export const bytes: Form<Uint8Array> = v.instance(Uint8Array, 'bytes')

export const flag: Form<boolean> = v.boolean('true or false')

/** Only shown to people; JSON has no infinity. */
export const figure: Form<number> = v.fallback(v.number(), 0)

/** Latest time that a date can represent, in milliseconds since 1970. */
export const LATEST_TIME = 8.64e15

/** Milliseconds since 1970. */
export const time: Form<number> = numberWithin(-LATEST_TIME, LATEST_TIME, 'a time')

/** Milliseconds, within the range of a timer. */
export const duration: Form<number> = numberWithin(0, 2 ** 31 - 1, 'a duration')

/** A canonical URL. */
export const httpUrl: Form<string> = v.pipe(
  v.string('an http URL'),
  v.check(isHttpUrl, 'an http URL'),
)

/** @param name of the set of values, for messages */
export function oneOf<const T extends readonly (string | number)[]>(
  values: T,
  name: string,
): Form<T[number]> {
  return v.picklist(values, name)
}

export function nullable<T>(form: Form<T>): Form<T | null> {
  return v.nullable(form)
}

/** An entry of a record that may be absent. */
export function absentOr<T>(form: Form<T>): v.ExactOptionalSchema<Form<T>, undefined> {
  return v.exactOptional(form)
}

/** One of two forms. */
export function either<A, B>(one: Form<A>, other: Form<B>, name: string): Form<A | B> {
  return v.union([one, other], name)
}

export function pair<A, B>(first: Form<A>, second: Form<B>): Form<readonly [A, B]> {
  return v.tuple([first, second], 'a pair')
}

export function list<T>(each: Form<T>): Form<readonly T[]> {
  return v.array(each, 'a list')
}

/** A list as Redis scripts encode it: an empty one is an empty object. */
export function listOfLua<T>(each: Form<T>): Form<readonly T[]> {
  const empty = v.pipe(
    v.strictObject({}),
    v.transform((): readonly T[] => []),
  )
  return v.union([list(each), empty], 'a list')
}

/** An object; other entries are dropped. */
export function record<E extends Entries>(entries: E): Form<Fields<E>> {
  return v.object(entries, 'an object')
}

/** An object; other entries are kept. */
export function openRecord<E extends Entries>(entries: E): Form<Fields<E>> {
  return v.looseObject(entries, 'an object')
}

/** An object with arbitrary keys. */
export function mapOf<T>(each: Form<T>): Form<Readonly<Record<string, T>>> {
  const isNoList = v.check((value: unknown) => !Array.isArray(value), 'an object')
  return v.pipe(v.unknown(), isNoList, v.record(v.string(), each, 'an object'))
}

/** A value that only a type guard can recognize. */
export function made<T>(isOne: (value: unknown) => value is T, name: string): Form<T> {
  return v.custom<T>(isOne, name)
}

/**
 * Validates a value that was read back.
 * @param place for the message
 * @throws DamageError when it has another form
 */
export function stored<T>(form: Form<T>, value: unknown, place: string): T {
  const result = v.safeParse(form, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const path = v.getDotPath(issue)
  const where = path === null ? place : `${place}.${path}`
  throw new DamageError(`${where}: expected ${issue.message}, got ${shown(issue.input)}`)
}

/**
 * Parses and validates JSON that was read back.
 * @throws DamageError as `stored`
 */
export function storedJson<T>(form: Form<T>, json: unknown, place: string): T {
  const value = parsed(stored(text, json, place), place)
  return stored(form, value, place)
}

function parsed(json: string, place: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new DamageError(`${place}: expected JSON, got ${shown(json)}`)
  }
}

function numberWithin(least: number, most: number, name: string): Form<number> {
  return v.pipe(v.number(name), v.minValue(least, name), v.maxValue(most, name))
}

function isPositive(number: number): boolean {
  return number >= 0
}

function isHttpUrl(url: string): boolean {
  const { protocol = '', host = '' } = URL.parse(url) ?? {}
  return /^https?:$/.test(protocol) && host === hostKey(url)
}

const MOST = 60

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  const json = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
  return json.length > MOST ? `${json.slice(0, MOST)}…` : json
}
