import type { Hop, Standing } from '../../records/crawl-url.ts'
import type { State } from './tables.ts'

/** Where a URL stands: how far from a seed, and by what step. */
export interface Place extends Standing {
  readonly hop: Hop
  /** Id of the page that named it. */
  readonly via: number | null
}

/** What a host is known by. */
export interface HostName {
  readonly id: number
  /** Host name and port. */
  readonly key: string
}

/** A URL that waits to be handed out. */
export interface ReadyUrl extends Standing {
  readonly id: number
  readonly url: string
  readonly hop: Hop
  readonly via: string | null
  /** How often it was handed out. */
  readonly attempts: number
  readonly failures: number
}

/** A URL as the frontier knows it, whatever its state. */
export interface KnownUrl extends Standing {
  readonly id: number
  readonly host: number
  readonly state: State
}
