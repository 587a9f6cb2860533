import type { Script } from './scripts.ts'

/** A single server, or a node of a cluster, of the package `@redis/client`. */
export interface Node {
  sendCommand(words: string[]): Promise<unknown>
}
/** Sends a command to the server that has its key. */
export type Send = (key: string, words: string[]) => Promise<unknown>

/** Number of keys to scan at a time. */
const PAGE = '1000'

/** Runs a script by its digest. Sends the text if the server doesn't know the script, for example after a restart. */
export async function evaluate(
  send: Send,
  { text, digest }: Script,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args]
  const [first = ''] = keys
  try {
    return await send(first, ['EVALSHA', digest, ...rest])
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return send(first, ['EVAL', text, ...rest])
  }
}

/** Yields the names of the keys of a node that match a pattern, a page at a time. */
export async function* scan(node: Node, pattern: string): AsyncGenerator<string[]> {
  let cursor = '0'
  do {
    const reply: unknown = await node.sendCommand([
      ...['SCAN', cursor, 'MATCH', pattern],
      ...['COUNT', PAGE],
    ])
    const [next, keys] = Array.isArray(reply) ? reply : ['0', []]
    cursor = String(next)
    if (Array.isArray(keys) && keys.length > 0) yield keys.map(String)
  } while (cursor !== '0')
}
