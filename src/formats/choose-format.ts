import { extname } from 'node:path'
import { COMPRESSED_EXTENSIONS, uncompressedName } from '../compressed-files/compression.ts'
import type { Config } from '../config/schema.ts'
import { FORMAT_EXTENSIONS, FORMATS, type Format } from '../config/settings/output-settings.ts'
import { formatList } from '../english-text.ts'
import { nearName } from '../near-name.ts'

const EXTENSIONS = formatList(Object.values(FORMAT_EXTENSIONS).flat(), 'or')

/** All extensions, for messages. */
export const EXTENSION_LIST = `${EXTENSIONS} (text formats also with ${COMPRESSED_EXTENSIONS} behind it)`

/** A format by its name, or the one that `--print` describes. */
export type OutputFormat = Format | 'template'

type FormatTrait =
  /** It is written when the crawl ends. */
  | 'at-end'
  /** It shows all fields of a record, those of `data` included. */
  | 'data'
  /** It contains bodies, with headers as received. */
  | 'exchanges'
  /** The user can choose its fields. */
  | 'fields'
  /** It includes the links between pages. */
  | 'links'

const TRAITS: Readonly<Record<OutputFormat, readonly FormatTrait[]>> = {
  jsonl: ['data', 'fields'],
  csv: ['data', 'fields'],
  txt: [],
  line: [],
  md: [],
  template: ['data'],
  sitemap: ['at-end'],
  dot: ['at-end', 'links'],
  graphml: ['at-end', 'links'],
  sqlite: ['at-end', 'data', 'links'],
  warc: ['exchanges'],
  wacz: ['exchanges'],
}

/** The settings that decide on the formats of the outputs. */
export type OutputSettings = Readonly<Pick<Config, 'format' | 'print'>> & {
  readonly output: readonly string[]
}

/**
 * Returns the format of an output. `format` or `print` decides for a single output. Of several
 * outputs, it decides only for those without a known extension.
 */
export function formatOf(name: string, chosen: OutputSettings): OutputFormat {
  const { output, format = chosen.print === undefined ? undefined : 'template' } = chosen
  if (format !== undefined && output.length === 1) return format
  return formatByExtension(name) ?? format ?? 'jsonl'
}

/**
 * Returns whether a name determines its format: by a known extension, or by having none, which means
 * JSON lines.
 */
export function hasKnownFormat(name: string): boolean {
  return extname(uncompressedName(name)) === '' || formatByExtension(name) !== undefined
}

/** Returns a name with the known extension that is most similar: `a.jsonl` for `a.json`, `a.warc.gz` for `a.warc`. */
export function nearFormatName(name: string): string | undefined {
  const text = uncompressedName(name)
  if (formatThatEnds(`${text}.gz`) !== undefined) return `${text}.gz`
  const extension = extname(text)
  const near = nearName(extension, Object.values(FORMAT_EXTENSIONS).flat())
  if (near === undefined) return undefined
  return text.slice(0, -extension.length) + near + name.slice(text.length)
}

/** Returns whether the fields of a format can be chosen. */
export function hasFields(format: OutputFormat): boolean {
  return TRAITS[format].includes('fields')
}

/** Returns whether an output needs the links of each page. */
export function needsOutlinks(chosen: OutputSettings): boolean {
  return hasFormatWith('links', chosen)
}

/** Returns whether an output shows the data that options such as `--extract` and `--text` add to records. */
export function showsData(chosen: OutputSettings): boolean {
  return hasFormatWith('data', chosen)
}

/** Returns whether an output needs all bodies, with headers as received. */
export function needsExchanges(chosen: OutputSettings): boolean {
  return hasFormatWith('exchanges', chosen)
}

/** Returns whether all outputs are written at the end of the crawl. A killed process then leaves no visits. */
export function hasOnlyEndFormats(chosen: OutputSettings): boolean {
  return chosen.output.every((name) => TRAITS[formatOf(name, chosen)].includes('at-end'))
}

function hasFormatWith(trait: FormatTrait, chosen: OutputSettings): boolean {
  return chosen.output.some((name) => TRAITS[formatOf(name, chosen)].includes(trait))
}

/** Returns the format of a name's extension, compressed or not; undefined without a known one. */
export function formatByExtension(name: string): Format | undefined {
  return formatThatEnds(name) ?? formatThatEnds(uncompressedName(name))
}

/**
 * Returns a warning for each output whose extension belongs to another format than it gets, or one warning if no output
 * gets the chosen format.
 */
export function formatWarnings(chosen: OutputSettings): string[] {
  const flag = chosen.print === undefined ? '--format' : '--print'
  const wanted = chosen.print === undefined ? chosen.format : 'template'
  if (wanted !== undefined && chosen.output.every((name) => formatOf(name, chosen) !== wanted)) {
    return [`${flag} has no effect, since the extension of each output decides its format`]
  }
  return chosen.output.flatMap((name) => {
    const [format, byName] = [formatOf(name, chosen), formatByExtension(name)]
    return byName === undefined || byName === format || isText(format, byName)
      ? []
      : [`${name} is not ${byName}, as its name says: ${flag} decides`]
  })
}

/** Returns whether a format may be in a file that ends in `.txt`, since it consists of lines of text. */
function isText(format: OutputFormat, byName: Format): boolean {
  return byName === 'txt' && (format === 'template' || format === 'line' || format === 'jsonl')
}

function formatThatEnds(name: string): Format | undefined {
  const lowerCased = name.toLowerCase()
  return FORMATS.find((format) => {
    return FORMAT_EXTENSIONS[format].some((extension) => lowerCased.endsWith(extension))
  })
}
