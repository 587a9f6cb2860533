import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Format } from '../../config/settings/output-settings.ts'
import { CrawlerError } from '../../errors.ts'
import type { Output } from '../../sinks/output.ts'
import type { Places } from '../../sinks/output-opener.ts'
import { type Derivation, DerivedOutput } from './derived-output.ts'
import { dot } from './dot.ts'
import { graphIn } from './graph.ts'
import { graphml } from './graphml.ts'
import { partBeside, sitemap } from './sitemap.ts'
import { sqliteFile } from './sqlite-file.ts'

/** Formats that are made at the end. */
export type DerivedFormat = Exclude<Format, 'jsonl' | 'csv' | 'warc'>

const DERIVATIONS: Readonly<Record<DerivedFormat, (name: string) => Derivation>> = {
  sitemap,
  dot: () => graphIn(dot),
  graphml: () => graphIn(graphml),
  sqlite: sqliteFile,
}

/**
 * @param name of a file, or - for stdout
 * @throws CrawlerError
 */
export async function openDerived(
  format: DerivedFormat,
  name: string,
  places: Places,
): Promise<Output> {
  if (format === 'sitemap') checkParts(name, places)
  if (format === 'sqlite' && name === '-') {
    throw new CrawlerError('usage', '--format sqlite: expected a file as --output, got stdout')
  }
  return DerivedOutput.open(name, places, DERIVATIONS[format](name))
}

/** Checks that the names of a large sitemap's parts are free; better now than at the end. */
function checkParts(name: string, places: Places): void {
  if (name === '-' || places.mayStand(name) || !existsSync(dirname(name))) return
  const part = partBeside(name)
  if (part === undefined) return
  const message = `${part}: expected no such file beside ${name}; --overwrite replaces it`
  throw new CrawlerError('usage', message)
}
