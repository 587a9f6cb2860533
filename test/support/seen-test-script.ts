import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Script } from '../../src/cluster/redis/scripts.ts'
import type { SharedSeenName } from '../../src/cluster/shared-seen-options.ts'

const folder = new URL('../../src/cluster/redis/scripts/', import.meta.url)
const read = (name: string) => readFileSync(new URL(`${name}.lua`, folder), 'utf8')

const RUN = `
  local request = cjson.decode(ARGV[1])
  local answers = unseen(request.fingerprints, request.seen)
  for index, is_new in ipairs(answers) do answers[index] = is_new and '1' or '0' end
  return table.concat(answers)`

/**
 * Returns a script that only runs a seen test. Its argument is JSON with fingerprints, and the parameters of the test as
 * `seen`. It returns `1` for each new URL, and `0` for each known URL.
 */
export function seenTestScript(seen: SharedSeenName): Script {
  const text = ['#!lua', read('partition'), read(seen.replace('redis', 'seen')), RUN].join('\n')
  return { text, digest: hash('sha1', text) }
}
