import type { Script } from './scripts.ts'

/** A server on its own, or one node of a cluster, as the package of the client has it. */
export interface Node {
  sendCommand(words: string[]): Promise<unknown>
}
/** Sends a command to where its key is. */
export type Send = (key: string, words: string[]) => Promise<unknown>

/** Keys asked for at a time. */
const PAGE = '1000'

/** Runs a script by its digest; a server that doesn't know the script yet, or after a restart no more, is sent it. */
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

/** Names of the keys of a node that match a pattern. */
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
