import type { ArchivedExchange } from '../records/delivery.ts'
import { isRedirect } from '../records/redirect-status.ts'
import { type BodySlot, type BodySlots, codedLimit } from '../runtime/body-slots.ts'
import type { BodyWish } from './body.ts'
import { decodeContent } from './content-coding.ts'
import { type ContentType, isHtml, parseContentType } from './content-type.ts'
import { type FetchFailure, failureOf } from './fetch-failure.ts'
import type { RawAnswer } from './raw-answer.ts'
import type { ScratchFile } from './scratch-file.ts'
import { sniffType } from './sniff.ts'

/** An answer with its codings undone. */
export interface Answer {
  readonly status: number
  readonly headers: RawAnswer['headers']
  readonly contentType?: ContentType
  /** The decoded body where it was kept: of pages, and of what `keepBody` asks for. */
  readonly body?: Buffer
  /** Bytes of the decoded body. */
  readonly bytes: number
  /** The body is not whole: it is longer than was wanted, or ends early. */
  readonly truncated: boolean
  /** Milliseconds from the request to the end of the body. */
  readonly ms: number
  /** It ends before its time: its connection or its coding broke off. */
  readonly endsEarly: boolean
  /** Why its connection broke off. */
  readonly failure?: FetchFailure
  /** Of a body that was not kept, where digests are wanted: SHA-256 in hexadecimal. */
  readonly digest?: string
  /** As records of an archive, where one is wanted. */
  readonly exchange?: ArchivedExchange
  /** To be called in the end: a large body lies in memory that others wait for. */
  release(): void
}

/** What is wanted of a body. */
export interface Wanted {
  /** Bytes of the decoded body that are read. */
  readonly maxBody: number
  /** Whether it is kept even if it is no page. */
  readonly keepBody: boolean
  /** Where it goes if it is large: until it has come, and then. */
  readonly scratch?: ScratchFile
  readonly slots: BodySlots | undefined
}

/** Types of sitemaps and feeds, and what servers that don't know them say. */
const SITEMAP_TYPES = /^text\/|xml|gz|octet-stream|rss|atom|rdf/
const MEDIA = /^(?:image|audio|video|font)\//

/** Returns whether a body that is no page may be a sitemap, by its type. */
export function mayBeSitemap(headers: RawAnswer['headers']): boolean {
  const type = contentTypeOf(headers)?.type
  if (type === undefined) return true
  return SITEMAP_TYPES.test(type) && !MEDIA.test(type) && !isHtml(type)
}

export function bodyWish(
  headers: RawAnswer['headers'],
  { maxBody, keepBody, scratch: file, slots }: Wanted,
): Omit<BodyWish, 'digest'> {
  const scratch = slots && file
  const coding = single(headers['content-encoding'])
  if (coding === undefined) {
    return { keep: keepBody || mayBePage(headers), limit: maxBody, scratch }
  }
  const isEnough = slots && ((start: Buffer) => isMoreThan(maxBody, start, coding, slots))
  return { keep: true, limit: codedLimit(maxBody), scratch, isEnough }
}

/** Whether so much is made of the start of a body alone that the rest need not be read. */
async function isMoreThan(
  maxBody: number,
  start: Buffer,
  coding: string,
  slots: BodySlots,
): Promise<boolean> {
  // Each of several codings would need room of its own.
  if (coding.includes(',')) return false
  const takeRoom = async () => {
    const scratch = await slots.takeScratch()
    return { slot: scratch, scratch }
  }
  const options = { isPart: true, takeRoom }
  const decoded = await decodeContent(start, coding, maxBody, options).catch(() => undefined)
  return decoded?.truncated === true
}

/** An answer whose body is in memory. */
export type LoadedAnswer = Omit<RawAnswer, 'body' | 'stored'> & {
  readonly body: Buffer
  /** What the body lies in when it is large: whoever gets the answer has to release it. */
  readonly slot: BodySlot | undefined
}

/** Loads a large body, as soon as there is room for it. */
export async function loadAnswer(
  { body, stored, ...answer }: RawAnswer,
  slots: BodySlots | undefined,
): Promise<LoadedAnswer> {
  if (stored === undefined) return { ...answer, body, slot: undefined }
  const slot = await slots?.take()
  try {
    return { ...answer, body: stored.read(slot?.bytes ?? Buffer.alloc(stored.length)), slot }
  } finally {
    stored.release()
  }
}

/** @throws FetchFailure */
export async function decodeAnswer(
  { body: coded, slot: filled, received, digest, ...answer }: LoadedAnswer,
  maxBody: number,
  slots: BodySlots | undefined,
): Promise<Answer> {
  const { status, headers, ms, truncated, failure } = answer
  let slot = filled
  const release = () => slot?.release()
  const takeRoom =
    slots &&
    (async () => {
      slot ??= await slots.take()
      return { slot, scratch: await slots.takeScratch() }
    })
  const endsEarly = failure !== undefined
  const why = { endsEarly, ...(failure !== undefined && { failure }) }
  const undecoded = { status, headers, ms, bytes: received, truncated, ...why, release }
  if (coded.length === 0) {
    return { ...undecoded, ...typeOf(headers), ...(digest !== undefined && { digest }) }
  }
  try {
    const coding = single(headers['content-encoding']) ?? ''
    const decoded = await decodeContent(coded, coding, maxBody, {
      isPart: truncated,
      ...(takeRoom !== undefined && { takeRoom }),
    })
    const { body } = decoded
    return {
      ...undecoded,
      ...typeOf(headers, body),
      ...{ body, bytes: body.length },
      truncated: truncated || decoded.truncated || decoded.endsEarly,
      endsEarly: endsEarly || decoded.endsEarly,
    }
  } catch (error) {
    if (isRedirect(status)) return undecoded
    release()
    throw failure ?? failureOf(error).withStatus(status)
  }
}

/** What the header says; without a header, what the first bytes say. */
function typeOf(headers: RawAnswer['headers'], body?: Buffer): { contentType?: ContentType } {
  const declared = contentTypeOf(headers)
  if (declared !== undefined) return { contentType: declared }
  return body === undefined ? {} : { contentType: { type: sniffType(body) } }
}

/** Without a type it may be anything: its bytes are looked at. */
function mayBePage(headers: RawAnswer['headers']): boolean {
  const contentType = contentTypeOf(headers)
  return contentType === undefined || isHtml(contentType.type)
}

function contentTypeOf(headers: RawAnswer['headers']): ContentType | undefined {
  const header = single(headers['content-type'])
  return header === undefined ? undefined : parseContentType(header)
}

/** A header that was sent several times counts as one list (RFC 9110, 5.3). */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
