import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** Words after `ACL SETUSER orbweaver` in docs/redis.md: what suffices. */
export const RIGHTS: readonly string[] = rightsInDocs()

function rightsInDocs(): string[] {
  const docs = readFileSync(new URL('../../docs/redis.md', import.meta.url), 'utf8')
  const [, words] = /^ACL SETUSER orbweaver ((?:.*\\\n)*.*)$/m.exec(docs) ?? []
  if (words === undefined) throw new Error('docs/redis.md: expected ACL SETUSER orbweaver')
  return words.split(/[\s\\]+/)
}

/**
 * Makes a user on a server, or on all nodes of a cluster, by redis-cli.
 * @returns the URL with the user
 */
export async function addUser(url: string, name: string, rights: readonly string[]) {
  const { port } = new URL(url)
  const words = ['ACL', 'SETUSER', name, ...rights]
  const info = await cli('-p', port, 'INFO', 'cluster')
  const all = info.includes('cluster_enabled:1') ? ['--cluster', 'call', `127.0.0.1:${port}`] : []
  const reply = await cli(...(all.length > 0 ? all : ['-p', port]), ...words)
  if (!/OK/.test(reply)) throw new Error(reply)
  const with_ = new URL(url)
  with_.username = name
  with_.password = 'password'
  return with_.href
}

async function cli(...args: string[]): Promise<string> {
  return (await promisify(execFile)('redis-cli', args)).stdout
}
