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

/** Returns a text that Markdown shows as it is, on one line: sites choose titles. */
function escaped(text: string): string {
  return replaceControls(text).replace(MARKUP, '\\$&')
}

/** Returns a URL in angle brackets; where a redirect points may be anything. */
function link(url: string): string {
  if (!/^https?:/.test(url)) return escaped(url)
  return `<${replaceControls(url).replace(/[<>\\| ]/g, (found) => encodeURIComponent(found))}>`
}
