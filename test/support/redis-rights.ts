import { readFileSync } from 'node:fs'
import type { Redis } from './redis-setups.ts'

/** Words after `ACL SETUSER orbweaver` in docs/redis.md: the rights that suffice. */
export const RIGHTS: readonly string[] = rightsInDocs()

function rightsInDocs(): string[] {
  const docs = readFileSync(new URL('../../docs/redis.md', import.meta.url), 'utf8')
  const [, words] = /^ACL SETUSER orbweaver ((?:.*\\\n)*.*)$/m.exec(docs) ?? []
  if (words === undefined) throw new Error('docs/redis.md: expected ACL SETUSER orbweaver')
  return words.split(/[\s\\]+/)
}

/**
 * Creates a user.
 * @returns the URL with the user
 */
export async function addUser(redis: Redis, name: string, rights: readonly string[]) {
  const reply = await redis.ask('ACL', 'SETUSER', name, ...rights)
  if (!/^(?:OK\n)+$/.test(reply)) throw new Error(reply)
  const url = new URL(redis.url)
  url.username = name
  url.password = 'password'
  return url.href
}
