import { escapeControls } from '../printable-text.ts'

/** Returns a value as one line of JSON, with control characters escaped, so that it does nothing to a terminal. */
export function encodeJson(value: object | string): string {
  return escapeControls(JSON.stringify(value))
}

/** Returns a value like `encodeJson`, with a line feed at the end. */
export function encodeLine(value: object): string {
  return `${encodeJson(value)}\n`
}
