import { fitted } from './number-text.ts'

const GAP = '  '

/** A table to be laid out in lines. */
export interface Columns {
  /** The first one names a row: it is on the left and takes what room there is. */
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Characters of a name that are worth showing; the columns at the right give way for it. */
const LEAST_NAME = 8

/** Lines of at most `width` characters; columns at the right are left out where there is no room. */
export function linesOf({ heads, rows }: Columns, width: number): string[] {
  const all = [heads, ...rows]
  const widths = heads.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  const [name = 0, ...others] = widths
  const least = Math.min(name, LEAST_NAME)
  let room = width - least
  const shown = others.findIndex((other) => {
    room -= GAP.length + other
    return room < 0
  })
  const kept = shown < 0 ? others : others.slice(0, shown)
  const taken = kept.reduce((sum, other) => sum + GAP.length + other, 0)
  const ofName = Math.max(0, Math.min(name, width - taken))
  return all.map(([first = '', ...rest]) => {
    const cells = kept.map((other, at) => (rest[at] ?? '').padStart(other))
    return [fitted(first, ofName).padEnd(ofName), ...cells].join(GAP)
  })
}

/** Texts one after the other, on as many lines as it takes. */
export function flow(texts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    const longer = `${last}${GAP} ${text}`
    if (last !== undefined && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(fitted(text, width))
  }
  return lines
}
