import * as v from 'valibot'
import { messageOf } from '../errors.ts'
import { parsePin } from '../fetch/addresses/pinned-addresses.ts'
import { isProxyException } from '../fetch/proxy-rules.ts'
import { problemInTemplate } from '../records/print-template.ts'
import { problemInColumn } from '../records/visit-columns.ts'
import { problemInPathGlob } from '../url/path-glob.ts'
import { expectedSeed, parseSeed } from '../url/seed.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'

const PROXY_SCHEMES = ['http:', 'https:', 'socks5:', 'socks5h:']
export const PROXY_FORM = 'a URL such as http://host:3128, https://host or socks5://host:1080'

/** Host names in any script, IPv4 addresses, and IPv6 addresses in brackets. */
const HOST = /^(?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*|\[[\da-f:.]+\])$/iu

/** Schema of a host without a port, parsed to its form in URLs. */
export function hostName() {
  const expected = 'a host such as example.com, whose subdomains count, too'
  const parsed = (text: string) => (HOST.test(text) ? URL.parse(`http://${text}/`) : null)
  return v.pipe(
    v.string(expected),
    v.check((text) => parsed(text) !== null, expected),
    v.transform((text) => parsed(text)?.hostname ?? text),
  )
}

/** Schema of a list of statuses that are errors, or classes of them, such as `5xx`. */
export function retryStatuses() {
  const expected = 'statuses from 400 to 599, 4xx or 5xx, separated by commas'
  const status = v.pipe(
    v.union([v.string(), v.number()], expected),
    v.transform((given) => String(given).toLowerCase()),
    v.regex(/^[45](?:\d\d|xx)$/, expected),
  )
  return v.array(status, expected)
}

/** Schema of a seed as a user types it. */
export function seed() {
  const expected = 'an http or https URL'
  return v.pipe(
    v.string(expected),
    v.check(
      (text) => succeeds(() => parseSeed(text)),
      ({ input }) => expectedSeed(input),
    ),
    v.transform((text) => new UrlWithPassword(text)),
  )
}

/** Schema of a proxy's URL. */
export function proxy() {
  return v.pipe(
    v.string(PROXY_FORM),
    v.check(isProxyUrl, PROXY_FORM),
    v.transform((text) => new UrlWithPassword(text)),
  )
}

/** Returns whether a text is the URL of a proxy. */
export function isProxyUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && PROXY_SCHEMES.includes(url.protocol) && url.hostname !== ''
}

/** Schema of hosts that are reached without a proxy; empty ones are left out. */
export function proxyExceptions() {
  const expected = 'hosts such as example.com, example.com:8080, 10.0.0.0/8 or *'
  return v.pipe(
    v.array(
      v.pipe(
        v.string(expected),
        v.check((text) => text === '' || isProxyException(text), expected),
      ),
      expected,
    ),
    v.transform((hosts) => hosts.filter((host) => host !== '')),
  )
}

/** Schema of fixed addresses of hosts. */
export function pinnedAddresses() {
  const expected = 'host:port:address, such as example.com:443:127.0.0.1'
  return v.array(
    v.pipe(
      v.string(expected),
      v.check((text) => parsePin(text) !== undefined, expected),
    ),
    expected,
  )
}

/** Schema of the source of a JavaScript regular expression. */
export function regexSource() {
  const expected = 'a JavaScript regular expression such as \\.pdf$'
  return textWithout((source) => {
    const problem = problemInPattern(source)
    return problem === undefined ? undefined : `${expected} (${problem})`
  }, expected)
}

/** Schema of a path with `*` for any text. */
export function pathGlob() {
  return textWithout(problemInPathGlob, 'a path such as /private')
}

/**
 * Schema of a text.
 * @param problemIn returns what was expected instead; undefined for a valid text
 * @param expected the expected text, for the message on a value of another type
 */
function textWithout(problemIn: (text: string) => string | undefined, expected: string) {
  return v.pipe(
    v.string(expected),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? problemIn(dataset.value) : undefined
      if (message !== undefined) addIssue({ message })
    }),
  )
}

/** Returns the reason to refuse a regular expression, usually the engine's; undefined for a valid one. */
function problemInPattern(source: string): string | undefined {
  // Such as --exclude "$PATTERN" without a value of the variable.
  if (source === '') return 'an empty one matches every URL'
  try {
    new RegExp(source)
    return undefined
  } catch (error) {
    const reason = messageOf(error).split(': ').at(-1)?.toLowerCase()
    const isGlob = reason === 'nothing to repeat'
    return isGlob
      ? `${reason}; a glob is not a pattern, and .* matches any text; --include-path and --exclude-path take globs`
      : reason
  }
}

/** Schema of a template for lines of visits. */
export function lineTemplate() {
  const problemIn = (template: string) =>
    template === '' ? undefined : problemInTemplate(template)
  return v.pipe(textWithout(problemIn, 'a text'), v.minLength(1, 'a text such as `{status} {url}`'))
}

/** Schema of a list of fields of visits. */
export function fieldNames() {
  const expected = 'names of fields, such as url,status,title'
  return v.pipe(
    v.array(textWithout(problemInColumn, expected), expected),
    v.minLength(1, expected),
    v.check((names) => new Set(names).size === names.length, 'each name once'),
  )
}

/** Schema of file extensions, with or without `.` or `*.`; parsed to lower case, without either. */
export function fileExtensions() {
  const expected = 'extensions such as pdf,docx'
  const extension = v.pipe(
    v.string(expected),
    v.transform((typed) => typed.replace(/^\*?\./, '').toLowerCase()),
    v.regex(/^[a-z\d]{1,12}$/, expected),
  )
  return v.pipe(v.array(extension, expected), v.minLength(1, expected))
}

/** Schema of one of a few names. */
export function oneOf<const T extends readonly string[]>(names: T) {
  return v.picklist(names, `one of ${names.join(', ')}`)
}

/** Schema of a boolean with a default. */
export function flag(preset = false) {
  return v.optional(v.boolean('true or false'), preset)
}

function succeeds(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
