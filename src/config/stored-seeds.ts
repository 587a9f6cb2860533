import { parseSeed } from '../url/seed.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'

/** Returns seeds parsed from stored JSON, whatever it contains. */
export function parseStoredSeeds(value: unknown): UrlWithPassword[] {
  const seeds: unknown[] = Array.isArray(value) ? value : []
  return seeds.map((seed) => new UrlWithPassword(String(seed)))
}

/** Returns a key that is equal for seeds that lead to the same URLs, with or without a login. */
export function seedKey(seed: UrlWithPassword): string {
  try {
    const { url, fallback = '' } = parseSeed(seed.withoutLogin)
    return `${url} ${fallback}`
  } catch {
    return seed.shown
  }
}
