/** Returns the statuses that patterns stand for: each a status such as `403`, or a class such as `5xx`. */
export function statusesOf(patterns: readonly string[]): ReadonlySet<number> {
  return new Set(patterns.flatMap(statusesOfOne))
}

function statusesOfOne(pattern: string): number[] {
  if (!pattern.endsWith('xx')) return [Number(pattern)]
  const first = Number(pattern[0]) * 100
  return Array.from({ length: 100 }, (_, at) => first + at)
}
