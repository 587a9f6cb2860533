import * as ascii from '../../src/encoding/ascii.ts'
import * as boilerplate from '../../src/html/wasm-scanner/layout/boilerplate.ts'
import { FOLDED } from '../../src/html/wasm-scanner/layout/boilerplate.ts'
import * as codes from '../../src/html/wasm-scanner/layout/codes.ts'
import { UNKNOWN_NAME } from '../../src/html/wasm-scanner/layout/codes.ts'
import * as limits from '../../src/html/wasm-scanner/layout/limits.ts'
import { MAX_TEXT, TEXT_BYTES } from '../../src/html/wasm-scanner/layout/limits.ts'
import {
  ATTRIBUTE_NAMES,
  assetAttributesOf,
  LOADED_START,
  TAG_ENDS,
  TAG_NAMES,
  TAG_TRAIT,
  TEXTS,
  traitsOf,
} from '../../src/html/wasm-scanner/layout/names.ts'
import * as records from '../../src/html/wasm-scanner/layout/records.ts'
import { REGIONS } from '../../src/html/wasm-scanner/layout/regions.ts'
import { PLAIN_CHARACTERS } from '../../src/url/join-href.ts'
import { NAME_FILL, type NameTable, nameTable } from './name-table.ts'

/** Numbers of places, as powers of 2, that are large enough for each name to get a place of its own. */
const TAG_PLACE_BITS = 11
const ATTRIBUTE_PLACE_BITS = 7
/** Number of bytes that are compared at once. */
const VECTOR = 16

/** Characters that the scanner compares with, in addition to those that `encoding/ascii.ts` names. */
const CHARACTERS = {
  ...{ HASH: '#', PERCENT: '%', AMPERSAND: '&', DOT: '.', COLON: ':', RIGHT_BRACKET: ']' },
  ...{ UNDERSCORE: '_', TILDE: '~', OPENING_BRACKET: '(', CLOSING_BRACKET: ')' },
}

/** Sets of characters. Within a set, no two characters share the lower half of their codes. */
const SETS = { NAME_ENDS: '\t\n\f\r />', VALUE_ENDS: '\t\n\f\r >' }

/** Texts of up to 8 characters that are compared as one number. */
const MARKS = {
  ...{ CDATA: '[CDATA[', DATA_URL: 'data:', HTTP: 'http://', HTTPS: 'https://' },
  STYLE_URL: 'url(',
}

/** Returns the source of `assemblyscript/generated/constants.ts`: the constants of layout/, in AssemblyScript. */
export function constantsSource(): string {
  const lines = [
    '// Made by `npm run build` from wasm-scanner/layout/, encoding/ascii.ts and url/join-href.ts: edit those.',
    ...Object.entries(CHARACTERS).map(([name, text]) => number(name, text.charCodeAt(0))),
    ...numbersIn(ascii),
    ...Object.entries(SETS).map(([name, characters]) => characterSet(name, characters)),
    ...Object.entries(MARKS).flatMap(([name, text]) => mark(name, text)),
    ...groupsIn(codes),
    ...numbersIn(codes),
    ...numbersIn(limits),
    ...numbersIn(boilerplate),
    ...groupsIn(records),
    ...REGIONS.flatMap(({ name, start, bytes }) => [
      address(`${upper(name)}_AT`, String(start)),
      number(`${upper(name)}_SIZE`, bytes),
    ]),
    ...namesSource(),
    bytes('PLAIN_CHARACTERS_AT', PLAIN_CHARACTERS),
    bytes('FOLDED_AT', FOLDED),
  ]
  return `${lines.join('\n')}\n`
}

function namesSource(): string[] {
  const tags = nameTable(TAG_NAMES, TAG_PLACE_BITS, UNKNOWN_NAME)
  const attributes = nameTable(ATTRIBUTE_NAMES, ATTRIBUTE_PLACE_BITS, UNKNOWN_NAME)
  const masks = Buffer.concat([Buffer.alloc(VECTOR, 0xff), Buffer.alloc(VECTOR)])
  const fills = Buffer.concat([Buffer.alloc(VECTOR), Buffer.alloc(VECTOR, NAME_FILL)])
  const assets = Uint32Array.from(TAG_NAMES, assetAttributesOf)
  return [
    ...TAG_NAMES.map((name, index) => number(`TAG_${upper(name)}`, index)),
    ...ATTRIBUTE_NAMES.map((name, index) => number(`ATTRIBUTE_${upper(name)}`, index)),
    ...TEXTS.map((text, index) => number(`TEXT_${upper(text)}`, index)),
    number('LOADED_START', LOADED_START),
    number('LOADED_END', TEXTS.length),
    ...group('TAG_ENDS', TAG_ENDS),
    ...group('TAG_TRAIT', TAG_TRAIT),
    ...tableSource('TAG', tags),
    ...tableSource('ATTRIBUTE', attributes),
    bytes('TAG_TRAITS_AT', Uint8Array.from(TAG_NAMES, traitsOf)),
    bytes('TAG_ASSETS_AT', new Uint8Array(assets.buffer)),
    bytes('TAG_BEGINNINGS_AT', beginnings(TAG_NAMES.slice(0, TAG_ENDS.assets))),
    bytes('ATTRIBUTE_BEGINNINGS_AT', beginnings(ATTRIBUTE_NAMES)),
    bytes('NAME_MASKS_AT', masks),
    bytes('NAME_FILLS_AT', fills),
    bytes('TEXTS_AT', Buffer.concat(TEXTS.map(textBytes))),
  ]
}

/**
 * Returns a bit set for each first letter of the names: the bytes that follow it in some name. Letters and bytes are
 * represented by their lower 5 bits.
 */
function beginnings(names: readonly string[]): Uint8Array {
  const seconds = new Uint32Array(32)
  for (const name of names) {
    const first = name.charCodeAt(0) % 32
    for (const second of name.length > 1 ? name.charAt(1) : SETS.NAME_ENDS) {
      seconds[first] = (seconds[first] ?? 0) | (1 << (second.charCodeAt(0) % 32))
    }
  }
  return new Uint8Array(seconds.buffer)
}

function tableSource(prefix: string, { names, places, multiplier, shift }: NameTable): string[] {
  return [
    bytes(`${prefix}_NAMES_AT`, names),
    bytes(`${prefix}_PLACES_AT`, places),
    `export const ${prefix}_PLACES_MULTIPLIER: u64 = ${multiplier}`,
    `export const ${prefix}_PLACES_SHIFT: u64 = ${shift}`,
  ]
}

/** Encodes a text: its length, then its bytes, then zeros. */
function textBytes(text: string): Buffer {
  if (text.length > MAX_TEXT) throw new Error(`too long a text: ${text}`)
  const padded = Buffer.alloc(TEXT_BYTES)
  padded[0] = text.length
  padded.write(text, 1, 'latin1')
  return padded
}

function numbersIn(module: Readonly<Record<string, unknown>>): string[] {
  return sorted(module).flatMap(([name, value]) =>
    typeof value === 'number' ? [number(name, value)] : [],
  )
}

function groupsIn(module: Readonly<Record<string, unknown>>): string[] {
  return sorted(module).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return []
    // The names of sizes begin with the names of their records.
    if (name !== 'WORDS') return group(name, value)
    return Object.entries(value).map(([record, words]) => number(`${upper(record)}_WORDS`, words))
  })
}

/** Returns the exports of a module in an order that doesn't depend on its loader. */
function sorted(module: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  return Object.entries(module).sort(([one], [other]) => (one < other ? -1 : 1))
}

function group(name: string, members: object): string[] {
  return Object.entries(members).map(([member, value]) => number(`${name}_${upper(member)}`, value))
}

function number(name: string, value: number): string {
  return `export const ${name}: i32 = ${value | 0}`
}

function address(name: string, value: string): string {
  return `export const ${name}: usize = ${value}`
}

function bytes(name: string, values: Uint8Array): string {
  return address(name, `memory.data<u8>([${values.join(',')}], ${VECTOR})`)
}

/** Returns the constants for a text: its length, and the number of 64 bits that its bytes form in memory. */
function mark(name: string, text: string): string[] {
  const bytes = Buffer.from(text.padEnd(8, '\0'), 'latin1')
  const value = `export const ${name}_MARK: u64 = ${bytes.readBigUInt64LE()}`
  return [number(`${name}_LENGTH`, text.length), value]
}

/** Returns the constant for a set of characters. The lower half of a character's code is its index. */
function characterSet(name: string, characters: string): string {
  const places: number[] = new Array(VECTOR).fill(0)
  for (const character of characters) {
    const code = character.charCodeAt(0)
    if (places[code % VECTOR] !== 0) throw new Error(`two of ${name} share a place`)
    places[code % VECTOR] = code
  }
  return `export const ${name}: v128 = i8x16(${places.join(', ')})`
}

/** Converts `http-equiv`, `tagEnd` and `text/html` to `HTTP_EQUIV`, `TAG_END` and `TEXT_HTML`. */
function upper(name: string): string {
  return name
    .replace(/[A-Z]/g, '_$&')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
}
