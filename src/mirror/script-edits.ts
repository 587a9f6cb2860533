import { percentEncoded } from '../encoding/percent-encoded.ts'
import { isModuleUrl, scriptUrls } from '../html/loaded-assets/script-urls.ts'
import type { LinkRewriter, TextEdit } from './text-edits.ts'

/** Returns the edits that change the URLs in a script. */
export function scriptLinkEdits(script: string, relink: LinkRewriter): TextEdit[] {
  return scriptUrls(script).flatMap(({ url, start, end }) => {
    const text = relink(url)
    return text === undefined ? [] : [{ start, end, text: asModuleUrl(text) }]
  })
}

/** Matches the strings of JSON that are values, and the name of a list of digests. */
const JSON_VALUE = /:\s*"([^"\\]*(?:\\.[^"\\]*)*)"/g
const DIGESTS = /"(integrity)"\s*:\s*\{/g

/**
 * Returns the edits that change the URLs in an import map. The digests of modules no longer apply then. Names that end in
 * a slash stand for folders, and stay.
 */
export function importMapEdits(map: string, relink: LinkRewriter): TextEdit[] {
  const edits = [...map.matchAll(JSON_VALUE)].flatMap(({ 0: { length }, 1: value = '', index }) => {
    const url = unescaped(value)
    if (url === undefined || url.endsWith('/') || !isModuleUrl(url)) return []
    const text = relink(url)
    const end = index + length - 1
    return text === undefined ? [] : [{ start: end - value.length, end, text: asModuleUrl(text) }]
  })
  const digests = edits.length === 0 ? [] : [...map.matchAll(DIGESTS)]
  return [
    ...edits,
    ...digests.map(({ index }) => ({ start: index + 1, end: index + 1, text: 'data-' })),
  ]
}

function unescaped(json: string): string | undefined {
  try {
    return String(JSON.parse(`"${json}"`))
  } catch {
    return undefined
  }
}

/** Returns a URL in the form of a module's name, for a string with any quotes. */
function asModuleUrl(url: string): string {
  const escaped = url.replace(/['"`\\{]/g, percentEncoded)
  return isModuleUrl(escaped) ? escaped : `./${escaped}`
}
