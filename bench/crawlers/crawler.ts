import type { Site } from '../sites/site.ts'

/** The files of a run. */
interface RunFiles {
  /** An empty folder to run in. */
  readonly cwd: string
  /** A file with the paths of all pages of the site, one per line. */
  readonly paths: string
}

/** A program to measure, and the command with which it fetches a whole site. */
export interface Crawler {
  readonly name: string
  /** Returns its version; undefined if it isn't installed. */
  version(): string | undefined
  /** The command that installs it. */
  readonly install: string
  /** The settings with which it runs, for the report. */
  readonly settings: string
  /** True if it rejects servers with self-signed certificates. Then it doesn't take part over TLS. */
  readonly checksCertificates?: true
  command(site: Site, files: RunFiles): readonly string[]
}

/** Number of requests in flight over all threads. It is the same for each crawler that has such a setting. */
export const CONCURRENCY = 32
