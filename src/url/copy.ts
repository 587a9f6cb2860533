/** A copy of a text: a slice would keep all of what it was cut from in memory, a whole page often. */
export function copy(text: string): string {
  return Buffer.from(text).toString()
}
