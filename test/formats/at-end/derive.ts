import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { openTemporaryDatabase } from '../../../src/database/sqlite.ts'
import type { Derivation } from '../../../src/formats/at-end/derived-output.ts'
import { packLinks } from '../../../src/messages/pack-links.ts'
import { StoredVisits } from '../../../src/output/stored-visits.ts'
import type { Visit } from '../../../src/records/visit.ts'
import { recordOf } from '../../support/record-of.ts'

type VisitedPage = Partial<Visit> & { readonly url: string; readonly outlinks?: readonly string[] }

/** Writes the output derived from visits to a file. Returns its texts. */
export function derive(
  file: string,
  derivation: Derivation,
  visited: readonly VisitedPage[],
  merged?: (url: string) => string,
): string[] {
  const database = openTemporaryDatabase()
  onTestFinished(() => database.close())
  const visits = new StoredVisits(database, merged)
  for (const { outlinks, ...visit } of visited) {
    const links = outlinks && { outlinks: packLinks(outlinks) }
    visits.write([{ record: recordOf(visit), ...links }])
  }
  const texts = [...derivation(visits)]
  const text = texts.join('')
  if (text !== '') writeFileSync(file, text)
  return texts
}
