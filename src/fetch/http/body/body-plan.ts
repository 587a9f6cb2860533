import { type BodySlots, codedLimit } from '../../../runtime/shared-body-memory.ts'
import { type BodyRequest, bodyNeeds, type KeptBodies } from '../../body-needs.ts'
import { type ContentType, parseContentType } from '../../content-type.ts'
import type { ResponseHeaders } from '../../fetcher.ts'
import type { BackendOptions } from '../../fetcher-backend.ts'
import { tokensOf } from '../header-tokens.ts'
import { decodeContent } from './decompress-body.ts'
import type { ScratchFile } from './scratch-file.ts'

/** The decisions about reading and decoding a body, made once when the header was received. */
export interface BodyPlan {
  /** The declared type. */
  readonly contentType: ContentType | undefined
  /** The codings to undo, as a list: those of Content-Encoding, or else of Transfer-Encoding; empty without one. */
  readonly coding: string
  /** Maximum bytes of the decoded body to keep. */
  readonly maxBody: number
  /** Maximum bytes to read of the body as it is sent. */
  readonly limit: number
  /** True to keep the bytes; false to count them only. */
  readonly keep: boolean
  /** True to compute the digest of a body that is not kept. */
  readonly digest: boolean
  /** True to keep at least the first bytes. */
  readonly keepsStart: boolean
  /** The file for a large body while it is received; undefined to receive it in memory. */
  readonly scratch: ScratchFile | undefined
  /** The shared memory for a large body once it was received; undefined to use the heap. */
  readonly slots: BodySlots | undefined
  /** Returns whether the first bytes of a large body decode to more than `maxBody` already. */
  readonly exceedsMaxBody: ((start: Buffer) => Promise<boolean>) | undefined
}

type BodyPlannerOptions = KeptBodies & Pick<BackendOptions, 'bodySlots' | 'digests' | 'keepsStarts'>

/** Decides how to read bodies. */
export class BodyPlanner {
  readonly #options: BodyPlannerOptions
  readonly #scratch: ScratchFile

  constructor(options: BodyPlannerOptions, scratch: ScratchFile) {
    this.#options = options
    this.#scratch = scratch
  }

  planFor(headers: ResponseHeaders, request: BodyRequest): BodyPlan {
    const contentType = contentTypeOf(headers)
    const { isKept, maxBody } = bodyNeeds(contentType, request, this.#options)
    const coding =
      joined(headers['content-encoding']) ?? transferCodings(headers['transfer-encoding'])
    const isCoded = coding !== ''
    const slots = this.#slotsFor(maxBody)
    const { digests = false, keepsStarts = false } = this.#options
    return {
      contentType,
      coding,
      maxBody,
      limit: isCoded ? codedLimit(maxBody) : maxBody,
      keep: isCoded || isKept,
      digest: digests,
      keepsStart: keepsStarts,
      scratch: slots && this.#scratch,
      slots,
      exceedsMaxBody:
        isCoded && slots ? (start) => isMoreThan(maxBody, start, coding, slots) : undefined,
    }
  }

  /** Returns the smallest slots that a body fits in, since there are few large ones. */
  #slotsFor(maxBody: number): BodySlots | undefined {
    for (const slots of this.#options.bodySlots) if (slots.memory.maxBody >= maxBody) return slots
    return undefined
  }
}

/** Returns whether the start of a body decodes to more than `maxBody` bytes. The rest is not needed then. */
async function isMoreThan(
  maxBody: number,
  start: Buffer,
  coding: string,
  slots: BodySlots,
): Promise<boolean> {
  // Each of several codings would need its own memory.
  if (coding.includes(',')) return false
  const takeMemory = async () => {
    const scratch = await slots.takeScratch()
    return { slot: scratch, scratch }
  }
  const options = { isPart: true, takeMemory }
  const decoded = await decodeContent(start, coding, maxBody, options).catch(() => undefined)
  return decoded?.truncated === true
}

function contentTypeOf(headers: ResponseHeaders): ContentType | undefined {
  const header = joined(headers['content-type'])
  return header === undefined ? undefined : parseContentType(header)
}

/**
 * Returns the transfer codings other than `chunked`, which was undone before (RFC 9112, 6.1). A server that sends them
 * although no request allows them means a content coding.
 */
function transferCodings(value: string | string[] | undefined): string {
  if (value === undefined) return ''
  return tokensOf(value)
    .filter((coding) => coding !== 'chunked')
    .join()
}

/** Joins a header that was sent several times (RFC 9110, 5.3). */
function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}
