import { escapeControls } from '../printable-text.ts'

/** JSON on one line, which does nothing to a terminal. */
export function encodeJson(value: object): string {
  return escapeControls(JSON.stringify(value))
}

/** The same with its line feed. */
export function encodeLine(value: object): string {
  return `${encodeJson(value)}\n`
}

/** A line of JSON, an object, with one more field at its end. */
export function extendLine(line: string, name: string, value: string | number): string {
  return `${line.slice(0, -2)},${encodeLine({ [name]: value }).slice(1)}`
}
