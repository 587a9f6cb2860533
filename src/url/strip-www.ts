/**
 * Drops `www.` from an origin such as `http://www.example.com:8080`, even if it is repeated. It stays if it is part of
 * the registered name: `www.com`.
 */
export function stripWww(origin: string): string {
  const host = origin.indexOf('//') + 2
  let start = host
  while (origin.startsWith('www.', start) && hasTwoLabels(origin, start + 4)) start += 4
  return start === host ? origin : origin.slice(0, host) + origin.slice(start)
}

/** Returns whether at least two labels follow, both not empty. */
function hasTwoLabels(origin: string, start: number): boolean {
  const dot = origin.indexOf('.', start)
  const next = origin.charCodeAt(dot + 1)
  return dot > start && next >= 0x2d && next !== 0x2e && next !== 0x3a
}
