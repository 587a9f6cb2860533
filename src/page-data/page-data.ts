import { messageOf } from '../errors.ts'
import type { Visit } from '../records/visit.ts'
import { type Field, parseField } from './field.ts'
import { TextBudget } from './text-budget.ts'
import { withTimeout } from './with-timeout.ts'

/** Characters of a page that are looked at. */
const MAX_INPUT = 2 ** 20
/** Characters that are taken from a page. */
const MAX_TAKEN = 2 ** 20
/** Milliseconds for one page. */
const MAX_MS = 5_000

/** Which data of pages is asked for. */
export interface PageDataSettings {
  /** CSS selectors by the name of their field. */
  readonly extract: Readonly<Record<string, string>>
  readonly text: boolean
  readonly markdown: boolean
}

/** A page as text, and what its URLs are relative to. */
interface PageText {
  readonly html: string
  readonly base: string
}

/** What was taken from a page, or why not. */
type ExtractedData = Pick<Visit, 'data' | 'dataTruncated' | 'error'>

/** Takes from a page what the settings ask for. Never throws. */
export type PageData = (page: PageText) => ExtractedData

type Extractor = (page: PageText, room: TextBudget) => Readonly<Record<string, unknown>>

/** Undefined where nobody asks; what isn't asked for isn't loaded. */
export async function openPageData(
  { extract, text, markdown }: PageDataSettings,
  maxMs = MAX_MS,
): Promise<PageData | undefined> {
  const fields = Object.entries(extract).map(([name, source]) => parseField(name, source))
  const takers: Extractor[] = []
  if (text) takers.push(await textTaker())
  if (markdown) takers.push(await markdownTaker())
  if (fields.length > 0) takers.push(await fieldTaker(fields))
  return takers.length === 0 ? undefined : (page) => take(page, takers, maxMs)
}

function take(
  { html, base }: PageText,
  takers: readonly Extractor[],
  maxMs: number,
): ExtractedData {
  const room = new TextBudget(MAX_TAKEN)
  const page = { html: html.slice(0, MAX_INPUT), base }
  try {
    const data = withTimeout(maxMs, () =>
      Object.assign({}, ...takers.map((taker) => taker(page, room))),
    )
    const isCut = room.isExceeded || html.length > MAX_INPUT
    return isCut ? { data, dataTruncated: true } : { data }
  } catch (error) {
    const message = messageOf(error)
    return { error: { code: 'extraction-failed', message } }
  }
}

async function textTaker(): Promise<Extractor> {
  const { readableText } = await import('./readable-text.ts')
  return ({ html }, room) => ({ text: room.take(readableText(html)) })
}

async function markdownTaker(): Promise<Extractor> {
  const { markdown } = await import('./markdown.ts')
  return ({ html, base }, room) => ({ markdown: room.take(markdown(html, base)) })
}

async function fieldTaker(fields: readonly Field[]): Promise<Extractor> {
  const { selectFields } = await import('./select-fields.ts')
  return ({ html, base }, room) => selectFields(html, fields, base, room)
}
