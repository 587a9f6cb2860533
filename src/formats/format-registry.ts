import { withSequenceNumbers } from '../output/annotated-output.ts'
import type { Output } from '../output/output.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import { compileTemplate } from '../records/print-template.ts'
import { allColumns } from '../records/visit-columns.ts'
import type { DerivedFormat } from './at-end/open-derived.ts'
import type { OutputFormat } from './choose-format.ts'
import { csvFormat } from './per-visit/csv.ts'
import { lineFormat } from './per-visit/human-readable-line.ts'
import { md } from './per-visit/md.ts'
import { selectedJsonl } from './per-visit/selected-jsonl.ts'
import { jsonl, type TextFormat, TextOutput } from './per-visit/text-output.ts'
import { txt } from './per-visit/txt.ts'

/**
 * Opens an output.
 * @param name name of a file, or - for stdout
 * @throws CrawlerError
 */
type OpenFormat = (name: string, opener: OutputOpener) => Promise<Output>

/** All formats. A new one needs a file, its name in the settings, its traits in choose-format.ts, and a line here. */
const OPENERS = {
  jsonl: openJsonl,
  csv: openCsv,
  txt: textFormat(txt),
  line: openLines,
  md: textFormat(md),
  template: openTemplate,
  sitemap: derivedFormat('sitemap'),
  dot: derivedFormat('dot'),
  graphml: derivedFormat('graphml'),
  sqlite: derivedFormat('sqlite'),
  warc: openWarc,
  wacz: openWacz,
} satisfies Record<OutputFormat, OpenFormat>

/** Opens an output in the given format. */
export function openOutput(
  format: OutputFormat,
  name: string,
  opener: OutputOpener,
): Promise<Output> {
  return OPENERS[format](name, opener)
}

function textFormat(format: TextFormat): OpenFormat {
  return async (name, opener) => {
    const sink = await opener.openSink(name)
    const output = new TextOutput(sink, format)
    const { committedRecords } = opener
    // An output that can't be truncated on resume may contain records that are written again.
    const isRepeated = committedRecords !== undefined && !sink.isCutBackOnResume
    return isRepeated ? withSequenceNumbers(output, committedRecords) : output
  }
}

/** Stdout may be a terminal, which shows colors. */
function openLines(name: string, opener: OutputOpener): Promise<Output> {
  return textFormat(lineFormat(name === '-' && opener.context.hasColors))(name, opener)
}

function openJsonl(name: string, opener: OutputOpener): Promise<Output> {
  const { chosenFields } = opener.context
  const format = chosenFields === undefined ? jsonl : selectedJsonl(chosenFields)
  return textFormat(format)(name, opener)
}

function openCsv(name: string, opener: OutputOpener): Promise<Output> {
  const { chosenFields, fieldNames } = opener.context
  return textFormat(csvFormat(chosenFields ?? allColumns(fieldNames)))(name, opener)
}

function openTemplate(name: string, opener: OutputOpener): Promise<Output> {
  const { template = '', groupFields } = opener.context
  const linesOf = compileTemplate(template, groupFields)
  return textFormat({ head: '', encode: ({ record }) => linesOf(record.fields) })(name, opener)
}

/** Returns a format whose code is loaded on demand, since few crawls use it. */
function derivedFormat(format: DerivedFormat): OpenFormat {
  return async (name, opener) => {
    const { openDerived } = await import('./at-end/open-derived.ts')
    return openDerived(format, name, opener)
  }
}

async function openWarc(name: string, opener: OutputOpener): Promise<Output> {
  const { WarcOutput } = await import('../warc/warc-output.ts')
  return WarcOutput.open(name, opener)
}

async function openWacz(name: string, opener: OutputOpener): Promise<Output> {
  const { WaczOutput } = await import('../warc/wacz-output.ts')
  return WaczOutput.open(name, opener)
}
