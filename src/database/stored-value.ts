import * as v from 'valibot'
import { DamageError } from '../errors.ts'
import { hostKey } from '../url/host-key.ts'

/** What a value that is read back has to be. */
export type Form<T = unknown> = v.GenericSchema<unknown, T>

/** Values of a form. */
export type Stored<F extends Form> = v.InferOutput<F>

type Entries = Readonly<Record<string, Form | v.ExactOptionalSchema<Form, undefined>>>
type Fields<E extends Entries> = Readonly<v.InferOutput<v.ObjectSchema<E, string>>>

/** Anything: it is looked at by others. */
export const unknown: Form = v.unknown()

export const text: Form<string> = v.string('a text')

export const wholeNumber: Form<number> = v.pipe(
  v.number('a number'),
  v.safeInteger('a whole number'),
)

export const count: Form<number> = v.pipe(wholeNumber, v.check(isPositive, 'a number from 0'))

export const bytes: Form<Uint8Array> = v.instance(Uint8Array, 'bytes')

export const flag: Form<boolean> = v.boolean('true or false')

/** Shown to people, and no more; JSON has no infinity. */
export const figure: Form<number> = v.fallback(v.number(), 0)

/** The last one that a date can have, in milliseconds since 1970. */
export const LATEST_TIME = 8.64e15

/** Milliseconds since 1970. */
export const time: Form<number> = numberWithin(-LATEST_TIME, LATEST_TIME, 'a time')

/** Milliseconds, and so many that a timer can be set for them. */
export const duration: Form<number> = numberWithin(0, 2 ** 31 - 1, 'a duration')

/** A URL in the form in which URLs are kept. */
export const httpUrl: Form<string> = v.pipe(
  v.string('an http URL'),
  v.check(isHttpUrl, 'an http URL'),
)

/** @param name of what is one of them */
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

/** A list as scripts of Redis write it: an empty one is an empty object. */
export function listOfLua<T>(each: Form<T>): Form<readonly T[]> {
  const empty = v.pipe(
    v.strictObject({}),
    v.transform((): readonly T[] => []),
  )
  return v.union([list(each), empty], 'a list')
}

/** An object. What it has beside these entries is left out. */
export function record<E extends Entries>(entries: E): Form<Fields<E>> {
  return v.object(entries, 'an object')
}

/** The same, with all that it has besides. */
export function openRecord<E extends Entries>(entries: E): Form<Fields<E>> {
  return v.looseObject(entries, 'an object')
}

/** An object with any names. */
export function mapOf<T>(each: Form<T>): Form<Readonly<Record<string, T>>> {
  const isNoList = v.check((value: unknown) => !Array.isArray(value), 'an object')
  return v.pipe(v.unknown(), isNoList, v.record(v.string(), each, 'an object'))
}

/** What only a function can tell from other values. */
export function made<T>(isOne: (value: unknown) => value is T, name: string): Form<T> {
  return v.custom<T>(isOne, name)
}

/**
 * Returns a value that was read back.
 * @param place for the message
 * @throws DamageError where it is not of that form
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
 * Returns what a JSON text holds that was read back.
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
