import type { Behaviour } from './behaviour.ts'
import { bodies } from './bodies.ts'
import { codings } from './codings.ts'
import { connections } from './connections.ts'
import { headers } from './headers.ts'
import { pages } from './pages.ts'
import { redirects } from './redirects.ts'

/** All ways in which a server may misbehave, by path. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...connections,
  ...headers,
  ...bodies,
  ...codings,
  ...redirects,
  ...pages,
]
