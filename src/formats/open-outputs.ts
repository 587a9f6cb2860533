import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Config } from '../config/schema.ts'
import { formatList } from '../english-text.ts'
import { CrawlerError } from '../errors.ts'
import { isDevice, isSameFile } from '../output/file-identity.ts'
import type { Output, Sink } from '../output/output.ts'
import { OutputList } from '../output/output-list.ts'
import { OutputOpener } from '../output/output-opener.ts'
import type { StreamOutput } from '../output/stream-output.ts'
import { groupFieldsOf, namedFieldsOf } from '../page-data/field.ts'
import type { BodyFolder, IncomingFolder } from '../records/incoming-file.ts'
import type { LinkGraph } from '../records/visit-attachments.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { CanonicalRules } from '../url/canonical-rules.ts'
import { parseSeed } from '../url/seed.ts'
import { checkContinuedFiles } from './check-continued-files.ts'
import { checkOutputSettings } from './check-output-settings.ts'
import { formatByExtension, formatOf } from './choose-format.ts'
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
    readonly screenshots: IncomingFolder | undefined
    readonly directory: StateDirectory | undefined
  }
  discard(): Promise<void>
  /** Returns which file of the mirror a reader opens first, or that nothing was saved. Call it only after the end of the crawl. */
  describeMirror(): string | undefined
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
  checkOutputSettings(config)
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
    const screenshots = await openScreenshots(config, opener, visits)
    const skips =
      skipped === undefined ? undefined : await openJsonLines('skipped', skipped, opener)
    if (typeof cookies === 'string') opener.refuseOpened(cookies)
    return {
      outputs: {
        directory,
        visits: screenshots ?? visits,
        screenshots: screenshots?.screenshots,
        linkGraph: links === undefined ? undefined : 'texts',
        bodies: mirror?.output.bodies,
        ...(skips !== undefined && { skipped: skips }),
      },
      discard: () => opener.discard(),
      describeMirror: () => mirror?.describe(),
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
    merged: opener.context.merged,
    extensions: saveOnly,
  })
  const describe = () => {
    const { isEmpty, startFile } = mirror
    if (startFile !== undefined) return `To read offline, open ${join(saveBodies, startFile)}`
    const extensions =
      saveOnly === undefined
        ? ''
        : `: no visit is a file of the type of ${formatList(saveOnly, 'or')}`
    return isEmpty ? `Nothing was saved in ${saveBodies}${extensions}` : undefined
  }
  return { output: mirror, describe }
}

/** Opens the folder of screenshots. The returned output adds the name of its file to each record, and passes it on. */
async function openScreenshots(
  { render, saveBodies, screenshots }: Config,
  opener: OutputOpener,
  visits: Output,
) {
  // A config file may be for several crawls.
  if (screenshots === undefined || render === 'never') return undefined
  const { ScreenshotOutput } = await import('../screenshots/screenshot-output.ts')
  if (saveBodies !== undefined && isSameFile(saveBodies, screenshots)) {
    const message = `--screenshots: expected a separate folder, got that of --save-bodies`
    throw new CrawlerError('usage', message)
  }
  return ScreenshotOutput.open(screenshots, opener, visits)
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
