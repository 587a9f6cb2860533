import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SharedSeenName } from '../shared-seen-options.ts'

/** A Lua script, which a server runs as one step. */
export interface Script {
  readonly text: string
  /** SHA-1 of the text, by which servers know the script. */
  readonly digest: string
}

// In a cluster, scripts may use keys that KEYS doesn't name, as long as all are in one slot.
// With the first head, a server that is out of memory refuses the whole script instead of stopping halfway. With the
// second one, it runs the script anyway. That is for scripts that need almost no memory, so that a job can still be
// paused and stopped. With the third one, a server that rejects writes runs the script, too.
const HEAD = '#!lua\n'
const ALLOW_OOM = '#!lua flags=allow-oom\n'
const NO_WRITES = '#!lua flags=no-writes\n'

const read = (name: string) =>
  readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8')

/** Cache of scripts by head and names. Each script is read on first use. */
const cache = new Map<string, Script>()

function scriptOf(head: string, ...names: string[]): Script {
  const id = head + names.join()
  const known = cache.get(id)
  if (known !== undefined) return known
  const text = head + names.map(read).join('\n')
  const script = { text, digest: hash('sha1', text) }
  cache.set(id, script)
  return script
}

const SEEN_FILES: Readonly<Record<SharedSeenName, string>> = {
  'redis-bloom': 'seen-bloom',
  'redis-set': 'seen-set',
  'redis-keys': 'seen-keys',
}

/** Adds URLs to a partition. */
export const pushScript = () => scriptOf(HEAD, 'partition', 'push')
/** Hands out URLs that pass the seen test. */
export const exchangeScript = (seen: SharedSeenName) =>
  scriptOf(HEAD, 'partition', 'recall', SEEN_FILES[seen], 'exchange')
/** Counts the URLs and hosts of partitions. */
export const viewScript = () => scriptOf(NO_WRITES, 'partition', 'recall', 'view')
/**
 * Counts the URLs and hosts of partitions for an agent, and may take back leases. A server that is out of memory
 * refuses it, since no lease can be renewed then.
 */
export const watchScript = () => scriptOf(HEAD, 'partition', 'recall', 'view')
/** Returns the commands that the user may not run. */
export const aclScript = () => scriptOf(ALLOW_OOM, 'acl')
/** Creates a job, or returns the one that exists. */
export const joinScript = () => scriptOf(HEAD, 'join')
/** Reports that an agent is alive, and returns the state of the job. */
export const beatScript = () => scriptOf(ALLOW_OOM, 'beat')
/** Reserves permits of rates. */
export const reserveScript = () => scriptOf(ALLOW_OOM, 'reserve')
/** Changes the state of a job. */
export const changeStateScript = () => scriptOf(ALLOW_OOM, 'change-state')
