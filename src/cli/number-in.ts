/** What a text that was typed says as a number, such as 12, .5 or 1e6; NaN for any other text. */
export function numberIn(text: string): number {
  return /^\d*\.?\d+(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
}
