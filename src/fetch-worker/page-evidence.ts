import { hash } from 'node:crypto'
import type { PageEvidence } from '../render/learning/template-memory.ts'
import { withoutFragment } from '../url/fragment.ts'
import { LinkResolver } from '../url/resolve.ts'
import { scriptSigns } from './script-signs.ts'

/** Maximum number of scripts that are read of a page. */
const MAX_SCRIPTS = 200

const SCRIPT = /<script(?=[\s/>])/gi
/** Maximum number of characters that are read of a tag. */
const MAX_TAG = 4_000
const ATTRIBUTES = /^(?:[^>"']|"[^"]*"|'[^']*')*/
const HANDLER = /\son[a-z]+\s*=|\ssrcdoc\s*=/i
/** An attribute: its name, and its value in one of three notations. */
const ATTRIBUTE = /([^\s=>/][^\s=>/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g
/** Types of scripts that run. Scripts of other types, such as JSON, are only data. */
const RUNS = /^(?:$|module$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i

/**
 * Returns the features by which to decide whether to render a page. Returns undefined if no script runs on the page,
 * so that rendering would change nothing.
 */
export function pageEvidence(url: string, body: Buffer): PageEvidence | undefined {
  const html = body.toString('latin1')
  const scripts = scriptTags(html)
    .map(scriptAttributes)
    .filter((attributes) => RUNS.test(attributes.get('type')?.trim() ?? ''))
  if (scripts.length === 0 && !HANDLER.test(html)) return undefined
  const resolver = new LinkResolver(withoutFragment(url))
  const sources = scripts.map((attributes) => {
    const source = attributes.get('src')
    // The text of an inline script is left out, since it may differ on each page.
    return source === undefined ? '' : (resolver.resolve(source) ?? source).replace(/[?#].*/, '')
  })
  const names = [...new Set(sources)].toSorted().join(' ')
  return { scripts: hash('sha1', names), digest: hash('sha1', body), signs: scriptSigns(html) }
}

/** Returns the attributes of the script tags of a page. */
function scriptTags(html: string): string[] {
  const tags: string[] = []
  for (const { index } of html.matchAll(SCRIPT)) {
    if (tags.length >= MAX_SCRIPTS) break
    const start = index + '<script'.length
    tags.push(ATTRIBUTES.exec(html.slice(start, start + MAX_TAG))?.[0] ?? '')
  }
  return tags
}

/** Returns the values of attributes by name, in lower case. Of attributes with the same name, only the first counts. */
function scriptAttributes(written: string): ReadonlyMap<string, string> {
  const all = [...written.matchAll(ATTRIBUTE)].map(([, name = '', quoted, single, bare]) => {
    return [name.toLowerCase(), quoted ?? single ?? bare ?? ''] as const
  })
  return new Map(all.toReversed())
}
