import { escapeControls } from '../escape-controls.ts'

/** One line of JSON with its line feed, which does nothing to a terminal. */
export function encodeLine(value: object): string {
  return `${escapeControls(JSON.stringify(value))}\n`
}

/** A line of JSON, an object, with one more field at its end. */
export function extendLine(line: string, name: string, value: string | number): string {
  return `${line.slice(0, -2)},${encodeLine({ [name]: value }).slice(1)}`
}
