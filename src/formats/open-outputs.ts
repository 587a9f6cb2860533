import { extname, join } from 'node:path'
import type { Writable } from 'node:stream'
import {
  COMPRESSED_EXTENSIONS,
  compressionOf,
  uncompressedName,
} from '../compressed-files/compression.ts'
import type { Config } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import { didYouMean, nearName } from '../near-name.ts'
import { isDevice } from '../output/file-identity.ts'
import type { Output, Sink } from '../output/output.ts'
import { OutputList } from '../output/output-list.ts'
import { OutputOpener } from '../output/output-opener.ts'
import type { StreamOutput } from '../output/stream-output.ts'
import { groupFieldsOf, namedFieldsOf } from '../page-data/field.ts'
import { dataFieldsIn, listsIn } from '../records/print-template.ts'
import type { BodyFolder, LinkGraph } from '../records/visit-attachments.ts'
import { dataFieldOf } from '../records/visit-columns.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { CanonicalRules } from '../url/canonical-rules.ts'
import { parseSeed } from '../url/seed.ts'
import { checkContinuedFiles } from './check-continued-files.ts'
import {
  EXTENSION_LIST,
  formatByExtension,
  formatOf,
  hasFields,
  hasKnownFormat,
  nearFormatName,
  needsExchanges,
  type OutputFormat,
} from './choose-format.ts'
import { openOutput } from './format-registry.ts'
import { links as linksFormat } from './per-visit/links.ts'
import { TextOutput } from './per-visit/text-output.ts'

/** The opened outputs of a crawl. If the crawl can't start, `discard` undoes what opening them has changed. */
export interface OpenOutputs {
  readonly outputs: {
    readonly visits: Output
    readonly skipped?: Sink
    readonly linkGraph: LinkGraph | undefined
    readonly bodies: BodyFolder | undefined
    readonly directory: StateDirectory | undefined
  }
  discard(): Promise<void>
  /** Returns the file of the mirror that a reader opens first. Call it only after the end of the crawl. */
  mirrorStart(): string | undefined
}

/** Maximum number of seeds that are tried to find the first file of a mirror. */
const MAX_STARTS = 100

/**
 * Opens the outputs that the settings name. When a crawl resumes, each output continues at its committed length.
 * @throws CrawlerError
 */
export async function openOutputs(
  config: Config,
  stdout: Writable,
  directory: StateDirectory | undefined,
  hasColors = false,
): Promise<OpenOutputs> {
  const { output, skipped, links, cookies } = config
  checkFormats(config)
  checkArchive(config)
  checkTemplate(config)
  checkFields(config)
  checkContinuedFiles(config, directory)
  const opener = new OutputOpener({ stdout, hasColors, directory, ...contextOf(config) })
  try {
    const opened: Output[] = []
    for (const name of output) opened.push(await openOutput(formatOf(name, config), name, opener))
    // A later run can't complete what a reader has missed, so a kept crawl ends with any of its readers.
    const main = opener.isDurable ? undefined : [...opened]
    if (links !== undefined)
      opened.push(new TextOutput(await openJsonLines('links', links, opener), linksFormat))
    const mirror = await openMirror(config, opener)
    if (mirror !== undefined) opened.push(mirror.output)
    if (opener.storedVisits !== undefined) opened.unshift(opener.storedVisits)
    const visits = new OutputList(opened, () => opener.close(), main)
    const skips =
      skipped === undefined ? undefined : await openJsonLines('skipped', skipped, opener)
    if (typeof cookies === 'string') opener.refuseOpened(cookies)
    return {
      outputs: {
        directory,
        visits,
        linkGraph: links === undefined ? undefined : 'texts',
        bodies: mirror?.output.bodies,
        ...(skips !== undefined && { skipped: skips }),
      },
      discard: () => opener.discard(),
      mirrorStart: () => mirror?.startFile(),
    }
  } catch (error) {
    await opener.discard()
    throw error
  }
}

function contextOf(config: Config) {
  const { frontier, overwrite, print, fields, extract, splitWarc, warcDedup } = config
  const { canonicalize, stripQuery } = config
  const rules = new CanonicalRules(canonicalize, stripQuery)
  return {
    merged: (url: string) => rules.apply(url),
    overwrite,
    template: print,
    chosenFields: fields,
    splitWarc,
    warcDedup,
    fieldNames: namedFieldsOf(config),
    groupFields: groupFieldsOf(extract),
    isOfJob: frontier.length > 0,
  }
}

async function openMirror({ seeds: typed, saveBodies, saveOnly }: Config, opener: OutputOpener) {
  if (saveBodies === undefined) return undefined
  const { MirrorOutput } = await import('../mirror/mirror-output.ts')
  const seeds = typed.slice(0, MAX_STARTS).flatMap((seed) => {
    const { url, fallback } = parseSeed(seed.withoutLogin)
    return [url, fallback ?? url]
  })
  const mirror = MirrorOutput.open(saveBodies, opener, {
    seeds,
    canonical: opener.context.merged,
    extensions: saveOnly,
  })
  const startFile = () => mirror.startFile && join(saveBodies, mirror.startFile)
  return { output: mirror, startFile }
}

/** Opens a file of JSON lines. Refuses stdout, which is for visits. */
async function openJsonLines(
  setting: 'skipped' | 'links',
  name: string,
  opener: OutputOpener,
): Promise<StreamOutput> {
  if (name === '-') {
    throw new CrawlerError('usage', `--${setting}: expected a separate file, got stdout`)
  }
  const format = formatByExtension(name) ?? 'jsonl'
  if (['jsonl', 'txt'].includes(format) || isDevice(name)) return opener.openSink(name)
  const expected = 'a file for JSON lines, such as a .jsonl'
  throw new CrawlerError('usage', `--${setting}: expected ${expected}, got \`${name}\``)
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
    const advice = didYouMean(nearFormatName(name))
    const message = `${name}: expected a name that ends in ${EXTENSION_LIST}, or --format${advice}`
    throw new CrawlerError('usage', message)
  }
}

/** The formats of files that may not be compressed as a whole. */
const UNCOMPRESSED: readonly OutputFormat[] = ['sqlite', 'wacz']

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
