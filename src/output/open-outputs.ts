import type { Writable } from 'node:stream'
import type { Config } from '../config/schema.ts'
import { CrawlerError } from '../errors.ts'
import type { BodyFolder, LinkGraph } from '../records/delivery.ts'
import { isDevice } from '../sinks/file-identity.ts'
import type { Output, Sink } from '../sinks/output.ts'
import { OutputList } from '../sinks/output-list.ts'
import { Places } from '../sinks/output-opener.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { CanonicalRules } from '../url/canonical-rules.ts'
import { ENDINGS, formatByExtension, formatOf, isFormatKnown, wantsExchanges } from './format-of.ts'
import { LinksOutput } from './links-output.ts'
import { openOutput } from './registry.ts'

/** The opened outputs of a crawl; `discard` undoes everything when it can't start. */
interface OpenOutputs {
  readonly outputs: {
    readonly visits: Output
    readonly skipped?: Sink
    readonly linkGraph: LinkGraph | undefined
    readonly bodies: BodyFolder | undefined
    readonly directory: StateDirectory | undefined
  }
  discard(): Promise<void>
}

/**
 * Opens the outputs that the settings name; on resuming, each continues at its committed length.
 * @throws CrawlerError
 */
export async function openOutputs(
  config: Config,
  stdout: Writable,
  directory: StateDirectory | undefined,
): Promise<OpenOutputs> {
  const { output, skipped, links, cookies, overwrite } = config
  checkFormats(config)
  checkArchive(config)
  const places = new Places({ stdout, overwrite, directory })
  try {
    const opened: Output[] = []
    for (const name of output) opened.push(await openOutput(formatOf(name, config), name, places))
    if (links !== undefined) opened.push(new LinksOutput(await openLines('links', links, places)))
    const mirror = await openMirror(config, places)
    if (mirror !== undefined) opened.push(mirror)
    if (places.spool !== undefined) opened.unshift(places.spool)
    const visits = new OutputList(opened, () => places.close())
    const linkGraph = links === undefined ? undefined : ('texts' as const)
    const outputs = { directory, visits, linkGraph, bodies: mirror?.bodies }
    const discard = () => places.discard()
    const lines =
      skipped === undefined ? {} : { skipped: await openLines('skipped', skipped, places) }
    if (typeof cookies === 'string') places.refuseTaken(cookies)
    return { outputs: { ...outputs, ...lines }, discard }
  } catch (error) {
    await places.discard()
    throw error
  }
}

async function openMirror({ saveBodies, canonicalize }: Config, places: Places) {
  if (saveBodies === undefined) return undefined
  const { MirrorOutput } = await import('../mirror/mirror-output.ts')
  const rules = new CanonicalRules(canonicalize)
  return MirrorOutput.open(saveBodies, places, (url) => rules.apply(url))
}

/** Opens a file of JSON lines; stdout is for visits. */
async function openLines(
  setting: 'skipped' | 'links',
  name: string,
  places: Places,
): Promise<Sink> {
  if (name === '-') {
    throw new CrawlerError('usage', `--${setting}: expected a file of its own, got stdout`)
  }
  const format = formatByExtension(name)
  if (format === undefined || format === 'jsonl' || isDevice(name)) return places.file(name)
  const expected = 'a file for JSON lines, such as a .jsonl'
  throw new CrawlerError('usage', `--${setting}: expected ${expected}, got \`${name}\``)
}

/** Refuses a name with the extension of an unknown format, which would otherwise get JSON lines. */
function checkFormats(config: Config): void {
  for (const name of config.output) {
    if (config.format !== undefined || isFormatKnown(name) || isDevice(name)) continue
    const message = `${name}: expected a name that ends in ${ENDINGS}, or --format`
    throw new CrawlerError('usage', message)
  }
}

/** Refuses WARC, whose records have dates and unique ids, in a deterministic crawl. */
function checkArchive(config: Config): void {
  if (!config.deterministic || !wantsExchanges(config)) return
  throw new CrawlerError('usage', '--deterministic: expected no output of format warc beside it')
}
