import { PROCESSING_FAILURES } from '../../records/error-code.ts'

/** The kind of outcome of a visit. Each has a color in the report. */
export type Tone = 'fine' | 'moved' | 'broken'

/** Returns the tone of an outcome: a status, or else an error code. */
export function toneOf(outcome: string | number): Tone {
  if (PROCESSING_FAILURES.includes(`${outcome}`)) return 'fine'
  const status = Number(outcome)
  if ((status >= 200 && status < 300) || status === 304) return 'fine'
  return status >= 300 && status < 400 ? 'moved' : 'broken'
}
