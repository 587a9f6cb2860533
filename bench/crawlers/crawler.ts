import type { Site } from '../sites/site.ts'

/** What a run may write to and read. */
interface RunFiles {
  /** An empty folder to run in. */
  readonly cwd: string
  /** A file with the paths of all pages of the site, one per line. */
  readonly paths: string
}

/** A program that is measured, and how it is asked to fetch a whole site. */
export interface Crawler {
  readonly name: string
  /** Its version, or undefined when it isn't installed. */
  version(): string | undefined
  /** How to install it. */
  readonly install: string
  /** Why it is run in this way. */
  readonly settings: string
  /** True if it gets no page from a server whose certificate nobody vouches for: it is left out over TLS. */
  readonly checksCertificates?: true
  command(site: Site, files: RunFiles): readonly string[]
}

/** Requests in flight, all threads together: the same for everyone who can be told. */
export const CONCURRENCY = 32
