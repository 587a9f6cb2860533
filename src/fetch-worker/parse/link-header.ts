import { headerText } from '../../encoding/header-text.ts'
import { indexOrEnd } from '../../url/index-or-end.ts'

interface HeaderLink {
  /** As written. It is resolved against the URL of the page, not against its `<base>`. */
  readonly href: string
  /** All its relation types, as written. */
  readonly rel: string
}

const NO_LINKS: readonly HeaderLink[] = []

/** Maximum number of links that are read per response. */
const MAX_LINKS = 1_000

/** Relation types whose target is a page (IANA's registry of them; HTML 4.01, 6.12). */
const PAGES: ReadonlySet<string> = new Set(
  'next prev previous first last up start contents index alternate canonical'.split(' '),
)
/** Relation types whose target isn't a page, even beside a type of `PAGES`, as in `alternate stylesheet`. */
const RESOURCES: ReadonlySet<string> = new Set(
  'stylesheet icon manifest preload modulepreload preconnect dns-prefetch'.split(' '),
)
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i

/** `; name`, `; name=token` or `; name="quoted"`, whose closing quote may be missing. */
const PARAMETER =
  /[ \t]*;[ \t]*([^\s=;,"]*)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^\s;,"]*)))?/sy

/**
 * Returns the links of a `Link` header (RFC 8288) whose target is a page: they have a relation type of `PAGES` and none
 * of `RESOURCES`, and their `type` is HTML or absent. Malformed links are skipped up to the next comma.
 */
export function headerLinks(header: string | readonly string[] | undefined): readonly HeaderLink[] {
  if (header === undefined) return NO_LINKS
  const links: HeaderLink[] = []
  for (const { href, parameters } of linksIn(header)) {
    const rel = parameters.get('rel')
    if (rel !== undefined && namesPage(rel, parameters.get('type'))) links.push({ href, rel })
  }
  return links
}

/** Returns the target of the first canonical link of a `Link` header (RFC 6596), as written. */
export function canonicalInHeader(
  header: string | readonly string[] | undefined,
): string | undefined {
  if (header === undefined) return undefined
  for (const { href, parameters } of linksIn(header)) {
    // A link with an anchor is about another resource (RFC 8288, 3.2).
    const isCanonical = relationTypes(parameters.get('rel') ?? '').includes('canonical')
    if (isCanonical && !parameters.has('anchor')) return href
  }
  return undefined
}

function relationTypes(rel: string): string[] {
  return rel.toLowerCase().split(/\s+/)
}

function namesPage(rel: string, type: string | undefined): boolean {
  const types = relationTypes(rel)
  if (type !== undefined && !HTML.test(type)) return false
  return types.some((each) => PAGES.has(each)) && !types.some((each) => RESOURCES.has(each))
}

interface LinkValue {
  readonly href: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Yields the first links of a header. */
function* linksIn(header: string | readonly string[]): Generator<LinkValue> {
  const fields = typeof header === 'string' ? [header] : header
  let left = MAX_LINKS
  for (const field of fields) {
    for (const link of linksOf(headerText(field))) {
      if (left-- === 0) return
      yield link
    }
  }
}

function* linksOf(field: string): Generator<LinkValue> {
  let at = 0
  while (at < field.length) {
    const start = startOfLink(field, at)
    at = start
    if (field[start] === '<') {
      const end = field.indexOf('>', start)
      if (end < 0) return
      const parameters = new Map<string, string>()
      at = readParameters(field, end + 1, parameters)
      yield { href: field.slice(start + 1, end).trim(), parameters }
    }
    at = indexOrEnd(field, ',', at)
  }
}

/** Reads the parameters of a link. Returns the index of their end. */
function readParameters(field: string, start: number, parameters: Map<string, string>): number {
  PARAMETER.lastIndex = start
  let end = start
  for (let found = PARAMETER.exec(field); found !== null; found = PARAMETER.exec(field)) {
    end = PARAMETER.lastIndex
    const [, name = '', quoted, token = ''] = found
    const key = name.toLowerCase()
    // Of several parameters with the same name, only the first counts (RFC 8288, 3.3).
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? token)
  }
  return end
}

function startOfLink(field: string, from: number): number {
  let at = from
  while (/[\s,]/.test(field.charAt(at))) at++
  return at
}
