/** DEL and the C1 controls, which JSON allows as they are and terminals obey. */
const CONTROLS = /[\x7f-\x9f]/g

/** One line of JSON with its line feed, which does nothing to a terminal. */
export function encodeLine(value: object): string {
  const line = JSON.stringify(value)
  return `${line.replace(CONTROLS, escaped)}\n`
}

function escaped(control: string): string {
  return `\\u00${control.charCodeAt(0).toString(16)}`
}
