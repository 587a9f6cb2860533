import { existsSync } from 'node:fs'
import type { Format } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import { type Derivation, DerivedOutput } from './derived/derived-output.ts'
import { dot } from './derived/dot.ts'
import { graphIn } from './derived/graph.ts'
import { graphml } from './derived/graphml.ts'
import { partName, sitemap } from './derived/sitemap.ts'
import { sqliteFile } from './derived/sqlite-file.ts'
import { NumberedOutput } from './numbered-output.ts'
import type { Output } from './output.ts'
import type { Places } from './places.ts'
import { csv } from './text/csv.ts'
import { jsonl, type TextFormat, TextOutput } from './text/text-output.ts'

/**
 * Opens an output.
 * @param name of a file, or - for stdout
 * @throws CrawlerError
 */
type Open = (name: string, places: Places) => Promise<Output>

/** All formats: a new one is one file, one name in the schema of settings, and one line here. */
const REGISTRY = {
  jsonl: text(jsonl),
  csv: text(csv),
  sitemap: openSitemap,
  dot: derived(() => graphIn(dot)),
  graphml: derived(() => graphIn(graphml)),
  sqlite: openSqlite,
} satisfies Record<Format, Open>

/** Opens an output in the format of that name. */
export function openOutput(format: Format, name: string, places: Places): Promise<Output> {
  return REGISTRY[format](name, places)
}

function text(format: TextFormat): Open {
  return async (name, places) => {
    const sink = await places.sink(name)
    const output = new TextOutput(sink, format)
    const { recordsBefore } = places
    // What can't be cut back may hold records that come again.
    const isRepeated = recordsBefore !== undefined && !sink.isCutBack
    return isRepeated ? new NumberedOutput(output, recordsBefore) : output
  }
}

function derived(derive: (name: string) => Derivation): Open {
  return (name, places) => DerivedOutput.open(name, places, derive(name))
}

/** Files that come beside a large sitemap must be free, which is better told now than in the end. */
async function openSitemap(name: string, places: Places): Promise<Output> {
  const part = partName(name, 1)
  if (name !== '-' && !places.mayStand(name) && existsSync(part)) {
    const message = `${part}: expected no such file beside ${name}; --overwrite replaces it`
    throw new CrawlerError('usage', message)
  }
  return derived(sitemap)(name, places)
}

async function openSqlite(name: string, places: Places): Promise<Output> {
  if (name !== '-') return derived(sqliteFile)(name, places)
  throw new CrawlerError('usage', '--format sqlite: expected a file as --output, got stdout')
}
