/** How a page did: each tone has a color in the report. */
export type Tone = 'fine' | 'moved' | 'broken'

/** Returns the tone of a status; anything else is an error. */
export function toneOf(outcome: string | number): Tone {
  const status = Number(outcome)
  if ((status >= 200 && status < 300) || status === 304) return 'fine'
  return status >= 300 && status < 400 ? 'moved' : 'broken'
}
