/** Letters and digits mixed, at least so long, are an id: hexadecimal, UUID, base64. */
const MIN_LENGTH = 12
const ALPHABET = /^[\w~-]*$/

/** Whether a text looks like an id that a program drew at random. */
export function looksRandom(text: string, turns: number = digitTurns(text)): boolean {
  return turns > 3 && text.length >= MIN_LENGTH && ALPHABET.test(text)
}

/**
 * How often digits begin or end, both ends of the text counted in: 0 without digits, and few in
 * names, whereas letters and digits take turns in ids.
 */
export function digitTurns(text: string): number {
  let turns = 0
  let wasDigit = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isDigit = code >= 0x30 && code <= 0x39
    if (isDigit !== wasDigit) turns++
    wasDigit = isDigit
  }
  return wasDigit ? turns + 1 : turns
}
