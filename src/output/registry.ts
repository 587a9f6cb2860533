import type { Format } from '../config/schema.ts'
import { csv } from './csv.ts'
import { NumberedOutput } from './numbered-output.ts'
import type { Output } from './output.ts'
import type { Places } from './places.ts'
import { jsonl, type TextFormat, TextOutput } from './text-output.ts'

/** A form of the visits. */
interface OutputFormat {
  /** Endings of the names of its files. */
  readonly extensions: readonly string[]
  /**
   * @param name of a file, or - for stdout
   * @throws CrawlerError
   */
  open(name: string, places: Places): Promise<Output>
}

/** All formats by their names: a new one is one file, one name in the schema of settings, one line here. */
const REGISTRY = {
  jsonl: { extensions: ['.jsonl', '.ndjson'], open: text(jsonl) },
  csv: { extensions: ['.csv'], open: text(csv) },
} satisfies Record<Format, OutputFormat>

/** Opens an output in the format of that name. */
export function openOutput(format: Format, name: string, places: Places): Promise<Output> {
  return REGISTRY[format].open(name, places)
}

/** The format that a name's ending tells. */
export function formatByExtension(name: string): Format | undefined {
  const lowerCased = name.toLowerCase()
  const formats = Object.keys(REGISTRY) as Format[]
  return formats.find((format) =>
    REGISTRY[format].extensions.some((extension) => lowerCased.endsWith(extension)),
  )
}

function text(format: TextFormat): OutputFormat['open'] {
  return async (name, places) => {
    const sink = await places.sink(name)
    const output = new TextOutput(sink, format)
    const { recordsBefore } = places
    // What can't be cut back may hold records that come again.
    const isRepeated = recordsBefore !== undefined && !sink.isCutBack
    return isRepeated ? new NumberedOutput(output, recordsBefore) : output
  }
}
