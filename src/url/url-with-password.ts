import { inspect } from 'node:util'
import { HIDDEN, Secret } from '../secret.ts'

/** Matches a scheme: `name:` that isn't followed by a port number. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/i
/** Matches `user:password@` in front of a host, without a scheme. */
const BARE_LOGIN =
  /^(?!(?:https?|rediss?|socks5|mailto|sips?|sms|news|tel|urn|data|javascript):)[^\s/?#@:]+:[^\s/?#@]*@/i
/** Matches schemes of addresses that contain an `@` but no password. */
const ADDRESS = /^\s*(?:mailto|sips?|sms|news|tel|urn):/i
/**
 * Matches the text before an `@` in a path, query or fragment: the host has a dot, and no `:` could begin a password.
 * Text with a port isn't matched, since the port may be the beginning of a password with a slash.
 */
const BEFORE_AT_IN_PATH =
  /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|https?[:;]?[\\/]*)?(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}_-]+[/?#][^\s:]*$/iu
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'socks5:': '1080',
  'redis:': '6379',
  'rediss:': '6379',
}

/**
 * The URL of a seed, a proxy or a server as typed by the user, which may contain a login (user and password). It is
 * printed and stored with `***` in place of the login. Only `reveal` returns the whole URL.
 */
export class UrlWithPassword {
  /** The URL with `***` in place of its login. */
  readonly shown: string
  /** Undefined if equal to `shown`, to save memory: there may be a million seeds, and most of them have no login. */
  readonly #typed: Secret | undefined
  /** True if the URL was stored with `***`, so that its login is missing. */
  readonly lacksLogin: boolean
  readonly hasLogin: boolean

  /** @param typed a URL; without a scheme, https is assumed */
  constructor(typed: string) {
    const url = typed.includes('@') ? parse(typed) : null
    const { username = '', password = '' } = url ?? {}
    this.lacksLogin = username === HIDDEN && password === ''
    this.hasLogin = username + password !== '' && !this.lacksLogin
    this.shown = typed.includes('@') ? shownFor(typed) : typed
    this.#typed = this.shown === typed ? undefined : new Secret(typed)
  }

  /** The URL without its login. Equal for URLs that differ only in their logins. */
  get withoutLogin(): string {
    return this.shown.replace(`${HIDDEN}@`, '')
  }

  /** Scheme, host and port; an empty string for an invalid URL. */
  get origin(): string {
    const url = parse(this.reveal())
    if (url === null) return ''
    const { protocol, hostname, port } = url
    return `${protocol}//${hostname.toLowerCase()}:${port || DEFAULT_PORTS[protocol]}`
  }

  /** Returns this URL with the login of another one. */
  withLoginOf(other: UrlWithPassword): UrlWithPassword {
    const url = parse(this.reveal())
    const from = parse(other.reveal())
    if (url === null || from === null) return this
    url.username = from.username
    url.password = from.password
    return new UrlWithPassword(hrefOf(url, this.reveal()))
  }

  /** Returns the URL with its login, for use in a request. */
  reveal(): string {
    return this.#typed?.reveal() ?? this.shown
  }

  toString(): string {
    return this.shown
  }

  toJSON(): string {
    return this.shown
  }

  [inspect.custom](): string {
    return this.shown
  }
}

/** Replaces a possible user and password with `***`, in a text that was meant to be a URL. */
export function hideLogin(text: string): string {
  const at = text.lastIndexOf('@')
  if (at < 0 || ADDRESS.test(text) || BEFORE_AT_IN_PATH.test(text.slice(0, at))) return text
  const [start = ''] = /^\s*(?:[a-z][a-z0-9+.-]*:[\\/]+)?/i.exec(text) ?? []
  return `${start}${HIDDEN}${text.slice(at)}`
}

function shownFor(typed: string): string {
  const url = parse(typed)
  if (url === null || url.hostname === '') return hideLogin(typed)
  if (url.username === '' && url.password === '') return typed
  url.username = HIDDEN
  url.password = ''
  return hrefOf(url, typed)
}

function parse(typed: string): URL | null {
  return URL.parse(hasScheme(typed) ? typed : `https://${typed.trim()}`)
}

/** Returns the href of a URL, without its scheme if the user typed none. */
function hrefOf({ href }: URL, typed: string): string {
  return hasScheme(typed) ? href : href.replace('https://', '')
}

/** Returns whether a URL begins with a scheme, and not with a host and port or with a login. */
export function hasScheme(typed: string): boolean {
  const text = typed.trim()
  return SCHEME.test(text) && !BARE_LOGIN.test(text)
}
