import { messageOf } from '../errors.ts'
import type { Visit } from '../records/visit.ts'
import { type Field, fieldsOf } from './field.ts'
import { FieldMatches } from './field-matches.ts'
import { MAX_PARSING_MS, parseWithinLimits } from './parse-within-limits.ts'
import type { OnField } from './select-fields.ts'
import { firstCharacters, TextBudget } from './text-budget.ts'

/** Maximum characters of a page that data is extracted from. */
export const MAX_INPUT = 2 ** 20
/** Maximum characters of the data of a page. */
const MAX_EXTRACTED = 2 ** 20

/** Settings of the data to extract. */
export interface PageDataSettings {
  /** CSS selectors by the names of fields. */
  readonly extract: Readonly<Record<string, string>>
  readonly text: boolean
  readonly markdown: boolean
  /** CSS selector of the element whose text and Markdown are taken; undefined takes the whole page. */
  readonly content?: string | undefined
  /** Numbers of 32 bits, shared by all threads, for the `FieldMatches` of `extract`. */
  readonly fieldMatches?: SharedArrayBuffer | undefined
  /** The same for `content`. */
  readonly contentMatches?: SharedArrayBuffer | undefined
}

/** A decoded page, and the base of its URLs. */
interface PageText {
  readonly html: string
  readonly base: string
}

/** The data of a page, or the reason why there is none. */
type ExtractedData = Pick<Visit, 'data' | 'dataTruncated' | 'error'>

/** Extracts the data of a page that the settings specify. Never throws. */
export type PageData = (page: PageText) => ExtractedData

type Extractor = (page: PageText, budget: TextBudget) => Readonly<Record<string, unknown>>

/** Returns undefined if there is no data to extract. Loads only the modules that the settings need. */
export async function openPageData(
  { extract, text, markdown, content, fieldMatches, contentMatches }: PageDataSettings,
  maxMs = MAX_PARSING_MS,
): Promise<PageData | undefined> {
  const fields = fieldsOf(extract)
  const readers: Extractor[] = []
  if (text) readers.push(await textExtractor())
  if (markdown) readers.push(await markdownExtractor())
  const extractors =
    content === undefined || readers.length === 0
      ? readers
      : [await contentExtractor(content, readers, contentMatches)]
  if (fields.length > 0) extractors.push(await fieldExtractor(fields, fieldMatches))
  return extractors.length === 0 ? undefined : (page) => extractAll(page, extractors, maxMs)
}

function extractAll(
  { html, base }: PageText,
  extractors: readonly Extractor[],
  maxMs: number,
): ExtractedData {
  const page = { html: firstCharacters(html, MAX_INPUT), base }
  try {
    return parseWithinLimits(maxMs, () => {
      const budget = new TextBudget(MAX_EXTRACTED)
      const data = Object.assign({}, ...extractors.map((extractor) => extractor(page, budget)))
      const isCut = budget.isExceeded || html.length > MAX_INPUT
      return isCut ? { data, dataTruncated: true } : { data }
    })
  } catch (error) {
    const message = messageOf(error)
    return { error: { code: 'extraction-failed', message } }
  }
}

async function textExtractor(): Promise<Extractor> {
  const { readableText } = await import('./readable-text.ts')
  return ({ html }, budget) => ({ text: budget.take(readableText(html)) })
}

async function markdownExtractor(): Promise<Extractor> {
  const { markdown } = await import('./markdown/markdown.ts')
  return ({ html, base }, budget) => ({ markdown: budget.take(markdown(html, base)) })
}

/** Returns an extractor that gives the first element that matches a selector to others; nothing if there is none. */
async function contentExtractor(
  selector: string,
  readers: readonly Extractor[],
  contentMatches?: SharedArrayBuffer,
): Promise<Extractor> {
  const { contentReader } = await import('./content-html.ts')
  const contentOf = contentReader(selector, contentMatches)
  return ({ html, base }, budget) => {
    // Large trees take hundreds of mebibytes. This one is freed before the others are built.
    const content = contentOf(html)
    if (content === undefined) return {}
    return Object.assign({}, ...readers.map((reader) => reader({ html: content, base }, budget)))
  }
}

async function fieldExtractor(
  fields: readonly Field[],
  fieldMatches?: SharedArrayBuffer,
): Promise<Extractor> {
  const { selectFields } = await import('./select-fields.ts')
  const counts = new FieldMatches(fields, fieldMatches)
  const onField: OnField = (...found) => counts.countField(...found)
  return ({ html, base }, budget) => {
    counts.countPage()
    return selectFields(html, fields, base, budget, onField)
  }
}
