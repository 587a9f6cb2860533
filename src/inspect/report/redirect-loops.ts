import type { DatabaseSync } from 'node:sqlite'
import { redirectLoop } from '../redirect-loop.ts'
import { RedirectChains } from './redirect-chains.ts'

const TABLE = 'CREATE TEMP TABLE loops (id INTEGER, error TEXT, message TEXT)'
const REDIRECTS = 'SELECT id, url, target FROM visits WHERE target IS NOT NULL AND error IS NULL'
// The URL of a loop that a link or a seed leads to. The other URLs of the loop were found by its redirects only.
const ENTRY = `
  SELECT visits.id AS id FROM json_each(?) JOIN visits ON url = value
  ORDER BY hop IS 'redirect', visits.id LIMIT 1`
const MARK = `
  UPDATE visits SET error = loops.error, message = loops.message FROM loops
  WHERE loops.id = visits.id`

/** Marks one URL of each loop of redirects as broken. The other URLs of the loop lead to it. */
export function markRedirectLoops(database: DatabaseSync): void {
  const chains = new RedirectChains(database)
  const entry = database.prepare(ENTRY)
  database.exec(TABLE)
  const insert = database.prepare('INSERT INTO loops VALUES (?, ?, ?)')
  for (const { id, url, target } of database.prepare(REDIRECTS).iterate()) {
    const { steps, outcome } = chains.chainFrom(String(url), String(target))
    if (outcome !== 'loop' || steps.at(-1) !== url) continue
    if (entry.get(JSON.stringify(steps))?.['id'] !== id) continue
    const { error, message } = redirectLoop(String(url), steps.length)
    insert.run(Number(id), error, message)
  }
  database.exec(MARK)
}
