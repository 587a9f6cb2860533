import type { DatabaseSync } from 'node:sqlite'
import { parseStored } from '../../database/validate-stored-values.ts'
import { externalUrlSchema } from './stored-rows.ts'
import { URL_STATE } from './stored-url.ts'

/** Condition for the visit of a URL that was checked but not read. */
const IS_CHECKED = 'links IS NULL AND ifnull(bytes, 0) = 0 AND status BETWEEN 200 AND 299'

/** Also returns links that an earlier call has adopted and that were too deep to be read. */
const CANDIDATES = `
  SELECT id, urls.url, hop, via FROM urls LEFT JOIN visits ON visits.url = id
  WHERE id > ? AND (hop IN ('external', 'redirect') OR ${IS_CHECKED}) ORDER BY id LIMIT 1000`

/**
 * Turns external links that belong to the crawl now into ordinary ones, which are a step deeper than their page. Those
 * that were only checked are added to the table `rereads`; those that are due get no conditional request.
 */
export function adoptExternalLinks(
  database: DatabaseSync,
  belongs: (url: string) => boolean,
): void {
  const candidates = database.prepare(CANDIDATES)
  const forgetValidators = database.prepare(
    `UPDATE visits SET etag = NULL, last_modified = NULL WHERE url = ? AND ${IS_CHECKED}`,
  )
  const reread = database.prepare(
    `INSERT OR IGNORE INTO rereads SELECT urls.id FROM visits JOIN urls ON urls.id = visits.url
     WHERE urls.id = ? AND ${IS_CHECKED} AND urls.state = ${URL_STATE.visited}`,
  )
  const moveDeeper = database.prepare(
    `UPDATE urls SET depth = depth + 1, same_depth_hops = max(0, same_depth_hops - 1), hop = iif(hop = 'external', 'link', hop)
     WHERE id = ?`,
  )
  const moved = new Set<number | null>()
  for (let last = 0; ; ) {
    const urls = candidates.all(last).map((row) => parseStored(externalUrlSchema, row, 'urls'))
    if (urls.length === 0) return
    for (const { id, hop, via } of urls.filter(({ url }) => belongs(url))) {
      forgetValidators.run(id)
      reread.run(id)
      // The target of a redirect is at the depth of the link that leads to it.
      if (hop !== 'external' && !(hop === 'redirect' && moved.has(via))) continue
      moveDeeper.run(id)
      moved.add(id)
    }
    last = urls.at(-1)?.id ?? last
  }
}
