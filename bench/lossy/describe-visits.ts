import { readFileSync } from 'node:fs'

/** The fields of a record that are read here. */
interface Visit {
  readonly status?: number
  readonly attempts: number
  /** Milliseconds of the last attempt. */
  readonly ms?: number
  readonly error?: { readonly code: string; readonly message: string }
}

/** Describes how many pages a crawl has found, how long requests took, and why some failed. */
export function describeVisits(file: string, pages: number): readonly string[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const visits = lines.map((text): Visit => JSON.parse(text))
  const found = visits.filter(({ status, error }) => status === 200 && error === undefined)
  const again = visits.filter(({ attempts }) => attempts > 1)
  const busyMs = visits.reduce((sum, { ms = 0 }) => sum + ms, 0)
  const times = `${(busyMs / visits.length).toFixed(0)} ms a request, ${(busyMs / 1_000).toFixed(0)} s all requests together`
  return [
    `${found.length} of ${pages} pages found, ${again.length} of them in several attempts; ${times}`,
    `failed: ${failuresOf(visits).join(', ') || 'none'}`,
  ]
}

function failuresOf(visits: readonly Visit[]): readonly string[] {
  const errors = visits.flatMap(({ error }) => error ?? [])
  const reasons = Map.groupBy(errors, ({ code, message }) => `${code}: ${message}`)
  return [...reasons].map(([reason, { length }]) => `${length} times ${reason}`)
}
