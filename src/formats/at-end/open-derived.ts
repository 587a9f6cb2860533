import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Format } from '../../config/settings/output-settings.ts'
import { CrawlerError } from '../../errors.ts'
import type { Output } from '../../output/output.ts'
import type { OutputOpener } from '../../output/output-opener.ts'
import { type Derivation, DerivedOutput } from './derived-output.ts'
import { dot } from './dot.ts'
import { graphDerivation } from './graph.ts'
import { graphml } from './graphml.ts'
import { existingPart, sitemap } from './sitemap.ts'
import { sqliteFile } from './sqlite-file.ts'

const DERIVATIONS = {
  sitemap,
  dot: () => graphDerivation(dot),
  graphml: () => graphDerivation(graphml),
  sqlite: sqliteFile,
} satisfies Partial<Record<Format, (name: string) => Derivation>>

/** Formats that are written at the end of the crawl. */
export type DerivedFormat = keyof typeof DERIVATIONS

/**
 * @param name name of a file, or - for stdout
 * @throws CrawlerError
 */
export async function openDerived(
  format: DerivedFormat,
  name: string,
  opener: OutputOpener,
): Promise<Output> {
  if (format === 'sitemap') checkPartNames(name, opener)
  if (format === 'sqlite' && name === '-') {
    throw new CrawlerError('usage', '--format sqlite: expected a file as --output, got stdout')
  }
  // The other formats show the last content of each URL.
  if (format === 'sqlite') opener.visits.keepAll()
  const sink = await opener.openSink(name)
  return new DerivedOutput(name, sink, opener.visits, DERIVATIONS[format](name))
}

/** Checks that no file has the name of a part of a large sitemap, so that the error doesn't come at the end. */
function checkPartNames(name: string, opener: OutputOpener): void {
  if (name === '-' || opener.mayExist(name) || !existsSync(dirname(name))) return
  const part = existingPart(name)
  if (part === undefined) return
  const message = `${part}: expected no such file next to ${name}; --overwrite replaces it`
  throw new CrawlerError('usage', message)
}
