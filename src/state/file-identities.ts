import { statSync } from 'node:fs'

/**
 * Returns an identity of a file that no copy at the same path has: somebody who packs a directory
 * can't predict the inode and the creation time in nanoseconds that an unpacked file gets. Returns
 * undefined for a missing file.
 */
export function identityOf(path: string): string | undefined {
  try {
    const { ino, birthtimeNs } = statSync(path, { bigint: true })
    return `${ino}-${birthtimeNs}`
  } catch {
    return undefined // opening the file reports the reason
  }
}

/** Caches the identities of files that the crawl has open, which can't change. */
export class FileIdentityCache {
  readonly #identities = new Map<string, string>()

  /** Returns the identities of files by their paths. */
  identities(paths: readonly string[]): Readonly<Record<string, string>> {
    return Object.fromEntries(paths.map((path) => [path, this.#identityOf(path)]))
  }

  #identityOf(path: string): string {
    const identity = this.#identities.get(path) ?? identityOf(path) ?? ''
    this.#identities.set(path, identity)
    return identity
  }
}
