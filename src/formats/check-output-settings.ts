import { extname } from 'node:path'
import {
  COMPRESSED_EXTENSIONS,
  compressionOf,
  uncompressedName,
} from '../compressed-files/compression.ts'
import type { Config } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import { didYouMean, nearName } from '../near-name.ts'
import { isDevice } from '../output/file-identity.ts'
import { groupFieldsOf, namedFieldsOf } from '../page-data/field.ts'
import { dataFieldsIn, listsIn } from '../records/print-template.ts'
import { dataFieldOf } from '../records/visit-columns.ts'
import {
  EXTENSION_LIST,
  formatOf,
  hasFields,
  hasKnownFormat,
  nearFormatName,
  needsExchanges,
  type OutputFormat,
} from './choose-format.ts'

const REPORT_ADVICE = ' (for a report, write a .jsonl file, then run crawl report)'

/** The formats of files that may not be compressed as a whole. */
const UNCOMPRESSED: readonly OutputFormat[] = ['sqlite', 'wacz']

/**
 * Checks that formats, names, fields and templates of outputs fit together.
 * @throws CrawlerError('usage')
 */
export function checkOutputSettings(config: Config): void {
  checkFormats(config)
  checkArchive(config)
  checkTemplate(config)
  checkFields(config)
}

/** Refuses a name with an unknown extension, to which JSON lines would be written otherwise. */
function checkFormats(config: Config): void {
  const { format, print } = config
  if (format !== undefined && print !== undefined) {
    throw new CrawlerError('usage', `--print: expected no --format with it, got \`${format}\``)
  }
  for (const name of config.output) {
    checkCompression(name, config)
    const isChosen = format !== undefined || print !== undefined
    if (isChosen || hasKnownFormat(name) || isDevice(name)) continue
    const isReport = /\.html?$/i.test(name)
    const advice = isReport ? REPORT_ADVICE : didYouMean(nearFormatName(name))
    const message = `${name}: expected a name that ends in ${EXTENSION_LIST}, or --format${advice}`
    throw new CrawlerError('usage', message)
  }
}

/**
 * Refuses compression of formats other than text, and text that is compressed twice. A WARC compresses its records
 * itself, so its name may end in .gz.
 */
function checkCompression(name: string, config: Config): void {
  const format = formatOf(name, config)
  const extension = extname(name).toLowerCase()
  const isFit = format === 'warc' ? extension === '.gz' : !UNCOMPRESSED.includes(format)
  if (compressionOf(name) === undefined || isDevice(name)) return
  if (!isFit)
    throw new CrawlerError('usage', `${name}: expected a name without ${extension} for ${format}`)
  if (compressionOf(uncompressedName(name)) === undefined) return
  const expected = `a name with one of the extensions ${COMPRESSED_EXTENSIONS}`
  throw new CrawlerError('usage', `${name}: expected ${expected}, got two`)
}

/** Refuses a template with fields of several lists, or with fields of `data` that no option adds. */
function checkTemplate(config: Config): void {
  const { print, extract } = config
  if (print === undefined) return
  const groups = groupFieldsOf(extract)
  const [list, other] = listsIn(print, groups)
  if (other !== undefined) {
    const message = `--print: expected fields of one list, which get a line for each element, got some of ${list} and of ${other}`
    throw new CrawlerError('usage', message)
  }
  const known = [...dataFieldsOf(config), ...groups.keys()]
  checkDataFields('--print', dataFieldsIn(print), known, config)
}

/** Refuses chosen fields if no output has a format with fields, and fields of `data` that no option adds. */
function checkFields(config: Config): void {
  const { fields, output } = config
  if (fields === undefined) return
  const formats = output.map((name) => formatOf(name, config))
  if (!formats.some(hasFields)) {
    const [format] = formats
    const got = format === 'template' ? '--print' : format
    const message = `--fields: expected an output of format csv or jsonl with it, got ${got}`
    throw new CrawlerError('usage', message)
  }
  const dataFields = fields.map(dataFieldOf).filter((name) => name !== undefined)
  checkDataFields('--fields', dataFields, dataFieldsOf(config), config)
}

/** Returns the fields of `data` that options add. */
function dataFieldsOf(config: Config): string[] {
  const { text, markdown } = config
  return [...namedFieldsOf(config), ...(text ? ['text'] : []), ...(markdown ? ['markdown'] : [])]
}

/** Refuses a name that isn't a field of `data`. With hooks, any name may be a field. */
function checkDataFields(
  option: '--print' | '--fields',
  names: readonly string[],
  known: readonly string[],
  { hooks }: Config,
): void {
  const name = hooks === undefined ? names.find((each) => !known.includes(each)) : undefined
  if (name === undefined) return
  const written = (field: string) => (option === '--print' ? `{data.${field}}` : `data.${field}`)
  const near = nearName(name, known)
  const advice = didYouMean(near && written(near))
  const isWholePage = name === 'text' || name === 'markdown'
  const expected = isWholePage
    ? `--${name}, or a field of --extract,`
    : 'a field of --extract or --response-headers'
  const message = `${option}: expected ${expected} for ${written(name)}, got none of that name${advice}`
  throw new CrawlerError('usage', message)
}

/** Refuses archives, whose records have dates and unique ids, in a deterministic crawl. */
function checkArchive(config: Config): void {
  if (!config.deterministic || !needsExchanges(config)) return
  throw new CrawlerError('usage', '--deterministic: expected no web archive as output with it')
}
