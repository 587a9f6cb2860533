import { isUtf8 } from 'node:buffer'
import { percentEncoded } from '../encoding/percent-encoded.ts'

type FieldName = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'

export interface RobotsField {
  readonly name: FieldName
  /** One char per octet; decode it with `fieldText`. */
  readonly value: string
}

// The misspellings are those that Google's parser accepts. The RFC has only the correct names.
const FIELD_NAMES: ReadonlyMap<string, FieldName> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
])

// Google's parser accepts a missing colon if the line has exactly two words.
const TWO_WORDS = /^([^ \t]+)[ \t]+([^ \t]+)$/

/** Parses a line of robots.txt. Returns undefined for comments and unknown fields. */
export function readField(line: string): RobotsField | undefined {
  const comment = line.indexOf('#')
  const text = trim(comment < 0 ? line : line.slice(0, comment))
  const colon = text.indexOf(':')
  const [key, value] =
    colon < 0
      ? (TWO_WORDS.exec(text)?.slice(1) ?? [])
      : [trim(text.slice(0, colon)), trim(text.slice(colon + 1))]
  const name = FIELD_NAMES.get(key?.toLowerCase() ?? '')
  return name && value !== undefined ? { name, value } : undefined
}

/**
 * Decodes a value. In files that are not UTF-8 the octets above ASCII are percent-encoded, so that
 * they still match as octets. The result is a copy, so it does not keep the file in memory.
 */
export function fieldText(value: string): string {
  const octets = Buffer.from(value, 'latin1')
  if (isUtf8(octets)) return octets.toString()
  return value.replace(/[\x80-\xFF]/g, percentEncoded)
}

// String.trim would drop the octet A0, which ends letters such as "à" in UTF-8.
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
