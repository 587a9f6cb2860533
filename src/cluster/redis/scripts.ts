import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisSeenName } from './seen-scheme.ts'

/** A Lua script that a server runs as one step. */
export interface Script {
  readonly text: string
  /** SHA-1 of the text, by which a server knows it. */
  readonly digest: string
}

// Scripts that touch keys which KEYS doesn't name are fine in a cluster, as long as all are in one slot.
// The first line makes a server that is out of memory refuse the whole script, not half of it; the other one
// lets it run scripts that take next to none, so that a job can be looked at, paused and stopped then, too.
const HEAD = '#!lua\n'
const SMALL = '#!lua flags=allow-oom\n'

const read = (name: string) =>
  readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8')

/** Scripts are read when they are first asked for, and once: a job is looked at again and again. */
const made = new Map<string, Script>()

function scriptOf(...names: string[]): Script {
  return headed(HEAD, names)
}

function headed(head: string, names: readonly string[]): Script {
  const id = head + names.join()
  const script = made.get(id) ?? make(head, names)
  made.set(id, script)
  return script
}

function make(head: string, names: readonly string[]): Script {
  const text = head + names.map(read).join('\n')
  return { text, digest: createHash('sha1').update(text).digest('hex') }
}

const SEEN_FILES: Readonly<Record<RedisSeenName, string>> = {
  'redis-bloom': 'seen-bloom',
  'redis-set': 'seen-set',
  'redis-keys': 'seen-keys',
}

/** Puts URLs to the URL-seen test, and does nothing with them. */
export const addScript = (seen: RedisSeenName) => scriptOf(SEEN_FILES[seen], 'add')
/** Enqueues URLs. */
export const pushScript = () => scriptOf('partition', 'push')
/** Hands out URLs that pass the URL-seen test. */
export const exchangeScript = (seen: RedisSeenName) =>
  scriptOf('partition', SEEN_FILES[seen], 'exchange')
export const viewScript = () => headed(SMALL, ['view'])
export const aclScript = () => headed(SMALL, ['acl'])
export const joinScript = () => scriptOf('join')
export const beatScript = () => headed(SMALL, ['beat'])
export const changeStateScript = () => headed(SMALL, ['change-state'])
