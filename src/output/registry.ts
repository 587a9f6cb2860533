import type { Format } from '../config/settings/output-settings.ts'
import { numbered } from '../sinks/annotated-output.ts'
import type { Output } from '../sinks/output.ts'
import type { Places } from '../sinks/output-opener.ts'
import type { DerivedFormat } from './derived/open-derived.ts'
import { csv } from './text/csv.ts'
import { jsonl, type TextFormat, TextOutput } from './text/text-output.ts'

/**
 * Opens an output.
 * @param name of a file, or - for stdout
 * @throws CrawlerError
 */
type Open = (name: string, places: Places) => Promise<Output>

/** All formats: a new one takes one file, one name in the schema of settings, and one line here. */
const REGISTRY = {
  jsonl: text(jsonl),
  csv: text(csv),
  sitemap: derived('sitemap'),
  dot: derived('dot'),
  graphml: derived('graphml'),
  sqlite: derived('sqlite'),
  warc: openWarc,
} satisfies Record<Format, Open>

/** Opens an output in the given format. */
export function openOutput(format: Format, name: string, places: Places): Promise<Output> {
  return REGISTRY[format](name, places)
}

function text(format: TextFormat): Open {
  return async (name, places) => {
    const sink = await places.sink(name)
    const output = new TextOutput(sink, format)
    const { recordsBefore } = places
    // An output that can't be cut back may contain records that are written again.
    const isRepeated = recordsBefore !== undefined && !sink.isCutBack
    return isRepeated ? numbered(output, recordsBefore) : output
  }
}

/** Loaded on demand: few crawls use it. */
function derived(format: DerivedFormat): Open {
  return async (name, places) => {
    const { openDerived } = await import('./derived/open-derived.ts')
    return openDerived(format, name, places)
  }
}

async function openWarc(name: string, places: Places): Promise<Output> {
  const { WarcOutput } = await import('../warc/warc-output.ts')
  return WarcOutput.open(name, places)
}
