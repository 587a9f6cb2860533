import { styleText } from 'node:util'
import { replaceControls } from '../../printable-text.ts'
import type { TextFormat } from './text-output.ts'

const COLORS = ['green', 'green', 'green', 'cyan', 'yellow', 'red'] as const

/** Returns the format of one line for a person per visit: status or error, depth, URL, target of a redirect, title, time. */
export function lineFormat(hasColors: boolean): TextFormat {
  return {
    head: '',
    encode({ record }) {
      const { url, status, error, depth, title, ms, redirectsTo } = record.fields
      const color = COLORS[Math.floor((status ?? 500) / 100)] ?? 'red'
      const outcome = error?.code ?? `${status ?? ''}`
      const start = hasColors ? styleText(color, outcome, { validateStream: false }) : outcome
      const facts = [
        String(depth).padStart(2),
        url,
        redirectsTo === undefined ? undefined : `→ ${redirectsTo}`,
        title,
        ms === undefined ? undefined : `${ms} ms`,
      ]
      const shown = facts.filter((fact) => fact !== undefined && fact !== '')
      return `${start}  ${replaceControls(shown.join('  '))}\n`
    },
  }
}
