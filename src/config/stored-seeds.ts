import { LoginUrl } from '../url/login-url.ts'
import { parseSeed } from '../url/seed.ts'

/** Returns seeds parsed from stored JSON, whatever it contains. */
export function parseStoredSeeds(value: unknown): LoginUrl[] {
  const seeds: unknown[] = Array.isArray(value) ? value : []
  return seeds.map((seed) => new LoginUrl(String(seed)))
}

/** Returns a key that is equal for seeds that lead to the same URLs, with or without a login. */
export function seedKey(seed: LoginUrl): string {
  try {
    const { url, fallback = '' } = parseSeed(seed.withoutLogin)
    return `${url} ${fallback}`
  } catch {
    return seed.shown
  }
}
