import { replaceControls } from '../../printable-text.ts'
import type { TextFormat } from './text-output.ts'

/** Characters that may be markup in Markdown, or end a cell. */
const MARKUP = /[\\`*_{}[\]<>()#+!|~&$@:]/g

/**
 * A table in Markdown (GFM) with a row per visit: status or error, depth, URL behind its title if
 * there is one, and time.
 */
export const md: TextFormat = {
  head: '| Status | Depth | Page | Time |\n|---|--:|---|--:|\n',
  encode({ fields: { url, status, error, depth, title = '', ms, redirectsTo } }) {
    const page = title.trim() === '' ? link(url) : `[${escaped(title)}](${link(url)})`
    const target = redirectsTo === undefined ? '' : ` → ${link(redirectsTo)}`
    const outcome = error?.code ?? status ?? ''
    const time = ms === undefined ? '' : `${ms} ms`
    return `| ${outcome} | ${depth} | ${page}${target} | ${time} |\n`
  },
}

/** Escapes a text that a site chose, so that Markdown shows it literally and on one line. */
function escaped(text: string): string {
  return replaceControls(text).replace(MARKUP, '\\$&')
}

/** Returns an http or https URL in angle brackets, and any other text escaped: a redirect may lead anywhere. */
function link(url: string): string {
  if (!/^https?:/.test(url)) return escaped(url)
  return `<${replaceControls(url).replace(/[<>\\| ]/g, (found) => encodeURIComponent(found))}>`
}
