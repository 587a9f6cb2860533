/** Minimum length of an id of letters and digits mixed: hexadecimal, UUID, base64. */
const MIN_LENGTH = 12
const ALPHABET = /^[\w~-]*$/

/** Returns whether a text looks like a random id. @param turns its `digitTurns`, if they are known */
export function looksRandom(text: string, turns?: number): boolean {
  return text.length >= MIN_LENGTH && ALPHABET.test(text) && (turns ?? digitTurns(text)) > 3
}

/**
 * Counts how often digits begin or end, with both ends of the text: 0 without digits, few in names, and many in
 * ids, where letters and digits take turns.
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
