/** Formats a number in English, such as 12,345. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}
