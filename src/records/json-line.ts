import { escapeControls } from '../printable-text.ts'

/** JSON on one line, which does nothing to a terminal. */
export function encodeJson(value: object | string): string {
  return escapeControls(JSON.stringify(value))
}

/** The same with its line feed. */
export function encodeLine(value: object): string {
  return `${encodeJson(value)}\n`
}
