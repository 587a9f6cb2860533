import { hash } from 'node:crypto'
import { decodePage } from '../../html/charset/decode-page.ts'
import { guessCharset } from '../../html/charset/guess-charset.ts'
import { declaredCharset } from '../../html/reference-scanner/declared-charset.ts'
import type { PageEvidence } from '../../render/learning/template-memory.ts'
import { withoutFragment } from '../../url/fragment.ts'
import { LinkResolver } from '../../url/resolve.ts'
import { scriptSigns } from './script-signs.ts'

/** Maximum number of scripts that are read of a page. */
const MAX_SCRIPTS = 200

const SCRIPT = /<script(?=[\s/>])/gi
/** Number of bytes of a page that are read to see whether it may be in UTF-16. */
const HEAD_BYTES = 1_024
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
 * @param charset of the Content-Type as the server sent it
 */
export function pageEvidence(
  url: string,
  body: Buffer,
  charset?: string,
): PageEvidence | undefined {
  const html = markupOf(body, charset)
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

/** Returns the text of a page, of which only the ASCII characters are sure to be right. */
function markupOf(body: Buffer, charset: string | undefined): string {
  // In UTF-16, every other byte of the markup is 0.
  if (!body.subarray(0, HEAD_BYTES).includes(0)) return body.toString('latin1')
  return decodePage(body, declaredCharset(body, charset) ?? guessCharset(body))
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
