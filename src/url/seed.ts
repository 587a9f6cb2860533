import { CrawlerError } from '../errors.ts'
import { didYouMean } from '../near-name.ts'
import { shortened } from '../printable-text.ts'
import { Secret } from '../secret.ts'
import { canonicalize } from './canonicalize.ts'
import { likelySeed } from './likely-seed.ts'
import { percentDecoded } from './percent-decoded.ts'
import { MAX_URL_LENGTH } from './resolve.ts'
import { hasScheme, hideLogin } from './url-with-password.ts'

export interface Seed {
  /** The canonical URL. */
  readonly url: string
  /** The http URL that is tried if `url` is unreachable; only for a seed without a scheme. */
  readonly fallback?: string
  /** The `Authorization` header for the seed's user and password (RFC 7617), sent to the origin of `url`. */
  readonly authorization?: Secret
}

const HTTP = /^https?:\/\//i
/** Matches other schemes, whose URLs can look like host and port: `tel:112`. */
const OTHER_SCHEME =
  /^(?:about|blob|data|file|ftps?|https?|javascript|mailto|news|sips?|sms|tel|urn|wss?):/i
/** Matches user and password in front of a host. */
const LOGIN = /^[^\s/?#@]*@/
/** Matches the first character of a host: a letter, a digit, `_` or `[`. `/x`, `./x` and `?x` don't contain a host. */
const HOST_START = /^[\p{L}\p{N}_[]/u

/**
 * Matches a host that is a single word, other than `localhost`, without a scheme, login, port or dot. It is more likely
 * a typing error than a host of the local network.
 */
const LONE_WORD = /^(?!localhost(?:[/?#]|$))[\p{L}\p{N}_][\p{L}\p{N}_-]*(?=[/?#]|$)/iu

/** Matches a file or folder of this machine. */
const LOCAL_PATH = /^(?:\.{1,2}\/|~\/|\/(?!\/)|file:)/i
const LOCAL_FILES =
  'for files of this machine, name an existing folder or page on the command line, or use --folder'

/** Matches what may be a folder or a page of this machine, such as `docs/` or `index.html`, or a host. */
const MAYBE_PATH = /\/|\.html?$/i

/** Matches a name without a path that ends with the extension of a file. */
const FILE_NAME = /^[^/?#]+\.(?:html?|jsonl|ndjson|json|csv|tsv|txt|xml|ya?ml|php|gz)$/i
/** Matches valid hosts. The URL standard allows more characters, but no host on the web has them. */
const HOSTNAME = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/
/** Matches a second URL in the same argument. */
const SECOND_URL = /\shttps?:\/\//i

/** Returns the host of a seed if it is a single word (`LONE_WORD`). */
export function loneWordOf(text: string): string | undefined {
  return LONE_WORD.exec(text.trim())?.[0]
}

/**
 * Parses a seed as typed by a user. A seed without a scheme is tried with https first, and then with http unless the
 * certificate is invalid.
 * @throws CrawlerError('usage') for anything but an http or https URL
 */
export function parseSeed(text: string): Seed {
  const trimmed = text.trim()
  if (HTTP.test(trimmed)) return { url: parse(trimmed, trimmed), ...authorizationOf(trimmed) }
  const host = trimmed.replace(LOGIN, '')
  const hasHost = HOST_START.test(host) && !hasScheme(trimmed) && !OTHER_SCHEME.test(trimmed)
  if (!hasHost || LONE_WORD.test(trimmed) || FILE_NAME.test(trimmed)) throw seedError(trimmed)
  return {
    url: parse(`https://${trimmed}`, trimmed),
    // The fallback has no password: the user didn't ask to send it unencrypted.
    fallback: parse(`http://${trimmed}`, trimmed),
    ...authorizationOf(`https://${trimmed}`),
  }
}

function parse(text: string, typed: string): string {
  const url = URL.parse(text)
  if (url === null || !HOSTNAME.test(url.hostname) || SECOND_URL.test(typed)) throw seedError(typed)
  const canonical = canonicalize(url)
  if (canonical.length <= MAX_URL_LENGTH) return canonical
  throw new CrawlerError(
    'usage',
    `expected a URL of at most ${MAX_URL_LENGTH} characters, got ${canonical.length}`,
  )
}

function authorizationOf(text: string): Pick<Seed, 'authorization'> {
  const { username = '', password = '' } = URL.parse(text) ?? {}
  if (username === '' && password === '') return {}
  const credentials = Buffer.from(
    `${percentDecoded(username)}:${percentDecoded(password)}`,
  ).toString('base64')
  return { authorization: new Secret(`Basic ${credentials}`) }
}

/** Describes what was expected in place of a seed that `parseSeed` rejects. */
export function expectedSeed(text: string): string {
  const typed = text.trim()
  if (typed.length > MAX_URL_LENGTH) return `a URL of at most ${MAX_URL_LENGTH} characters`
  const meant = likelySeed(typed)
  if (meant !== undefined) return `an http or https URL${didYouMean(withHiddenLogin(meant))}`
  if (LOCAL_PATH.test(typed)) return `an http or https URL (${LOCAL_FILES})`
  const host = FILE_NAME.test(typed) ? typed : loneWordOf(typed)
  if (host === undefined) return 'an http or https URL'
  const advice = `to crawl a host with this name, add a scheme: http://${hideLogin(host).slice(0, 100)}/`
  const isLikePath = MAYBE_PATH.test(typed)
  return `an http or https URL (${advice}${isLikePath ? `; ${LOCAL_FILES}` : ''})`
}

/** Returns a URL for messages, with `***` in place of its login; undefined if it would seem to have another host. */
function withHiddenLogin(url: string): string | undefined {
  const shown = hideLogin(url)
  return URL.parse(shown)?.host === URL.parse(url)?.host ? shown : undefined
}

function seedError(typed: string): CrawlerError {
  return new CrawlerError('usage', `expected ${expectedSeed(typed)}, got \`${shownSeed(typed)}\``)
}

/** Returns the start of a rejected seed for messages, without its password. */
export function shownSeed(typed: string): string {
  return shortened(hideLogin(typed), 200)
}
