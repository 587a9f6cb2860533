import { replaceControls } from '../../printable-text.ts'

const GAP = '  '

/** A table to lay out in lines. */
export interface TextTable {
  /** Headings of the columns. The first column names the rows: it is on the left and takes the remaining width. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Width that long names get at least: columns on the right are dropped to make room. */
const MIN_NAME_WIDTH = 8

/** Lays out lines of at most `width` characters; drops columns on the right that don't fit. */
export function layOutTable(
  { headings, rows }: TextTable,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const all = [headings, ...rows]
  const widths = headings.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  const [name = 0, ...others] = widths
  const least = Math.min(name, MIN_NAME_WIDTH)
  let remaining = width - least
  const shown = others.findIndex((other) => {
    remaining -= GAP.length + other
    return remaining < 0
  })
  const kept = shown < 0 ? others : others.slice(0, shown)
  const taken = kept.reduce((sum, other) => sum + GAP.length + other, 0)
  const ofName = Math.max(0, Math.min(name, width - taken))
  return all.map(([first = '', ...rest]) => {
    const cells = kept.map((other, at) => (rest[at] ?? '').padStart(other))
    return [cutToWidth(first, ofName).padEnd(ofName), ...cells].join(GAP)
  })
}

/** Joins texts to as few lines as possible. */
export function joinToLines(texts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    const longer = `${last}${GAP} ${text}`
    if (last !== undefined && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(cutToWidth(text, width))
  }
  return lines
}

/** Returns a text without control characters, cut to a width. */
export function cutToWidth(text: string, width: number): string {
  const whole = replaceControls(text)
  return whole.length > width ? `${whole.slice(0, Math.max(0, width - 1))}…` : whole
}
