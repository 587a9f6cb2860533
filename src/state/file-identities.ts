import { statSync } from 'node:fs'

/** What tells files from others that come to the same places, by their whole names. */
export type FileIdentities = Readonly<Record<string, string>>

/**
 * Tells a file from any other at the same place: nobody who packs a directory knows which number a file gets
 * where that is unpacked, nor in which nanosecond it is made there. Undefined where there is no file.
 */
export function identityOf(path: string): string | undefined {
  try {
    const { ino, birthtimeNs } = statSync(path, { bigint: true })
    return `${ino}-${birthtimeNs}`
  } catch {
    return undefined // who opens it is told why it can't be
  }
}

/** Tells files apart that stay what they are, as those do that a crawl has open. */
export class OpenFiles {
  readonly #identities = new Map<string, string>()

  identities(paths: readonly string[]): FileIdentities {
    return Object.fromEntries(paths.map((path) => [path, this.#identityOf(path)]))
  }

  #identityOf(path: string): string {
    const identity = this.#identities.get(path) ?? identityOf(path) ?? ''
    this.#identities.set(path, identity)
    return identity
  }
}
