import { markdownLink, markdownTarget, markdownText } from '../../encoding/escape-markdown.ts'
import type { TextFormat } from './text-output.ts'

/**
 * A table in Markdown (GFM) with a row per visit: status or error, depth, URL behind its title if
 * there is one, and time.
 */
export const md: TextFormat = {
  head: '| Status | Depth | Page | Time |\n|---|--:|---|--:|\n',
  encode({ record }) {
    const { url, status, error, depth, title = '', ms, redirectsTo } = record.fields
    const page =
      title.trim() === '' ? markdownLink(url) : `[${markdownText(title)}](${markdownTarget(url)})`
    const target = redirectsTo === undefined ? '' : ` → ${markdownLink(redirectsTo)}`
    const outcome = error?.code ?? status ?? ''
    const time = ms === undefined ? '' : `${ms} ms`
    return `| ${outcome} | ${depth} | ${page}${target} | ${time} |\n`
  },
}
