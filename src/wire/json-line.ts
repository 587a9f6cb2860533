import { escapeControls } from '../escape-controls.ts'

/** One line of JSON with its line feed, which does nothing to a terminal. */
export function encodeLine(value: object): string {
  return `${escapeControls(JSON.stringify(value))}\n`
}
