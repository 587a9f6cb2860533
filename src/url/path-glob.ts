import { didYouMean } from '../near-name.ts'
import { canonicalize } from './canonicalize.ts'
import { pathStart } from './origin.ts'

const ORIGIN = 'http://a'

/**
 * A pattern that matches a path and all paths below it: `/private` matches `/private`, `/private/` and `/private/a?b`,
 * but not `/privateer`. A `*` matches any text, including slashes: `*.pdf`, `/archive-*`.
 */
export class PathGlob {
  /** The texts before, between and after the `*`. */
  readonly #texts: readonly string[]

  constructor(glob: string) {
    this.#texts = canonicalPath(glob).split('*')
  }

  /** Returns whether the path of a canonical URL matches. */
  test(url: string): boolean {
    const path = pathOf(url)
    const [first = '', ...others] = this.#texts
    if (!path.startsWith(first)) return false
    const last = others.pop()
    if (last === undefined) return endsSegment(path, first.length)
    let at = first.length
    for (const text of others) {
      const found = path.indexOf(text, at)
      if (found < 0) return false
      at = found + text.length
    }
    for (; ; at++) {
      at = path.indexOf(last, at)
      if (at < 0) return false
      if (endsSegment(path, at + last.length)) return true
    }
  }
}

function pathOf(url: string): string {
  const path = url.slice(pathStart(url))
  const end = path.search(/[?#]/)
  return end < 0 ? path : path.slice(0, end)
}

function endsSegment(path: string, at: number): boolean {
  return at === path.length || path[at] === '/'
}

/** Returns the glob with its path in canonical form, without trailing slashes. */
function canonicalPath(glob: string): string {
  const isWhole = glob.startsWith('/')
  const url = canonicalize(new URL(`${ORIGIN}${isWhole ? '' : '/'}${glob}`))
  return url.slice(ORIGIN.length + (isWhole ? 0 : 1)).replace(/\/+$/, '')
}

/** Describes what was expected in place of an invalid glob; returns undefined for a valid one. */
export function problemInPathGlob(text: string): string | undefined {
  const expected = 'a path such as /private or *.pdf'
  if (/^https?:\/\//i.test(text)) return `${expected}${didYouMean(URL.parse(text)?.pathname)}`
  if (/[?#]/.test(text)) return `${expected}, without ? and #`
  if (/^[/*]/.test(text)) return undefined
  return `${expected}${didYouMean(text === '' ? undefined : `/${text}`)}`
}
