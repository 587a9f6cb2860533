import { isRedirect } from '../../records/redirect-status.ts'
import { type BodySlot, type BodySlots, codedLimit } from '../../runtime/shared-body-memory.ts'
import { type ContentType, isHtml, parseContentType } from '../content-type.ts'
import type { FetchResponse, ResponseHeaders } from '../fetcher.ts'
import type { RawResponse, ResponseHead } from '../raw-response.ts'
import { sniffType } from '../sniff.ts'
import { decodeContent } from './body/decompress-body.ts'
import type { BodyPolicy, ReceivedBody } from './body/incoming-body.ts'
import type { ScratchFile } from './body/scratch-file.ts'
import { failureOf } from './network-failure.ts'

/** How much of a body is read, and where it goes. */
export interface BodyLimits {
  /** Bytes of the decoded body to read. */
  readonly maxBody: number
  /** True to keep it even if it is no HTML page. */
  readonly keepBody: boolean
  /** Where a large body goes until it has come. */
  readonly scratch?: ScratchFile
  /** Where a large body goes then; undefined for the heap. */
  readonly slots: BodySlots | undefined
}

/** A response as it was received; a large body is still in a file. */
export type ReceivedResponse = ResponseHead & ReceivedBody

/** Types of sitemaps and feeds, and those that servers give to files they don't know. */
const SITEMAP_TYPES = /^text\/|xml|gz|octet-stream|rss|atom|rdf/
const MEDIA = /^(?:image|audio|video|font)\//

/** Returns whether a body that is no page may be a sitemap, by its type. */
export function mayBeSitemap(headers: ResponseHeaders): boolean {
  const type = contentTypeOf(headers)?.type
  if (type === undefined) return true
  return SITEMAP_TYPES.test(type) && !MEDIA.test(type) && !isHtml(type)
}

export function isStyleSheet(headers: ResponseHeaders): boolean {
  return contentTypeOf(headers)?.type === 'text/css'
}

/** Returns what to do with the body of a response with these headers. */
export function bodyPolicyFor(
  headers: ResponseHeaders,
  { maxBody, keepBody, scratch: file, slots }: BodyLimits,
): Omit<BodyPolicy, 'digest'> {
  const scratch = slots && file
  const coding = single(headers['content-encoding'])
  if (coding === undefined) {
    return { keep: keepBody || mayBePage(headers), limit: maxBody, scratch }
  }
  const isEnough = slots && ((start: Buffer) => isMoreThan(maxBody, start, coding, slots))
  return { keep: true, limit: codedLimit(maxBody), scratch, isEnough }
}

/** Returns whether the start of a body decodes to more than is read of it: then the rest is not needed. */
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

/** A response whose body is in memory, in a slot if it is large; to be released. */
export type LoadedResponse = RawResponse & { readonly slot: BodySlot | undefined }

/** Loads a large body as soon as a slot is free. */
export async function loadResponse(
  { body, stored, ...response }: ReceivedResponse,
  slots: BodySlots | undefined,
): Promise<LoadedResponse> {
  if (stored === undefined) return { ...response, body, slot: undefined }
  const slot = await slots?.take()
  try {
    return { ...response, body: stored.read(slot?.bytes ?? Buffer.alloc(stored.length)), slot }
  } finally {
    stored.release()
  }
}

/**
 * Undoes the content codings of a response.
 * @throws FetchFailure
 */
export async function decodeResponse(
  { body: coded, slot: filled, received, digest, ...response }: LoadedResponse,
  maxBody: number,
  slots: BodySlots | undefined,
): Promise<FetchResponse> {
  const { status, headers, ms, truncated, failure } = response
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

/** Returns the type by the header; without one, by the first bytes. */
function typeOf(headers: ResponseHeaders, body?: Buffer): { contentType?: ContentType } {
  const declared = contentTypeOf(headers)
  if (declared !== undefined) return { contentType: declared }
  return body === undefined ? {} : { contentType: { type: sniffType(body) } }
}

/** Returns whether a response may be an HTML page: without a type it may be anything. */
function mayBePage(headers: ResponseHeaders): boolean {
  const contentType = contentTypeOf(headers)
  return contentType === undefined || isHtml(contentType.type)
}

function contentTypeOf(headers: ResponseHeaders): ContentType | undefined {
  const header = single(headers['content-type'])
  return header === undefined ? undefined : parseContentType(header)
}

/** Joins a header that was sent several times (RFC 9110, 5.3). */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
