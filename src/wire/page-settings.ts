import type { BodyFolder } from './delivery.ts'

/** What a user wants of each page beside its links. */
export interface PageSettings {
  /** CSS selectors of what is taken, by name. */
  readonly extract: Readonly<Record<string, string>>
  readonly text: boolean
  readonly markdown: boolean
  /** Where bodies are put; undefined when no output wants any. */
  readonly bodies?: BodyFolder | undefined
  /** Path or URL of a module of hooks. */
  readonly hooks?: string | undefined
  /** Milliseconds for one call of a hook. */
  readonly hookTimeout: number
}
