import { isRedirect } from '../../records/redirect-status.ts'
import type { BodySlot } from '../../runtime/shared-body-memory.ts'
import type { FetchResponse } from '../fetcher.ts'
import { START_BYTES } from '../image-kind.ts'
import type { ResponseHead } from '../raw-response.ts'
import { sniffType } from '../sniff.ts'
import type { BodyPlan } from './body/body-plan.ts'
import { type DecodedBody, decodeContent } from './body/decompress-body.ts'
import type { ReceivedBody } from './body/incoming-body.ts'
import { failureOf } from './network-failure.ts'

/** A response without its body, and the plan of the body. */
type Received = ResponseHead & { readonly plan: BodyPlan }

/** A response as it was received. A large body is still in a file. */
export type ReceivedResponse = Received & ReceivedBody

/** A response whose body is in memory, in a slot if it is large. The slot must be released. */
type LoadedResponse = ReceivedResponse & { readonly slot: BodySlot | undefined }

/** A decoded body; `body` is undefined if it is empty or was not kept. */
type Decoded = Omit<DecodedBody, 'body'> & { readonly body: Buffer | undefined }

const NOTHING: Decoded = { body: undefined, truncated: false, endsEarly: false }

/** Converts a response whose body needs no loading and no decoding; returns undefined for any other response. */
export function asReceived(response: ReceivedResponse): FetchResponse | undefined {
  if (response.stored !== undefined || response.plan.coding !== '') return undefined
  return fetched(response, withoutCoding(response.body), response.release)
}

/** Loads the body of a response into memory; a large one as soon as a slot is free. */
export async function loadResponse(received: ReceivedResponse): Promise<LoadedResponse> {
  const { stored, plan } = received
  if (stored === undefined) return { ...received, slot: undefined }
  const slot = await plan.slots?.take()
  try {
    return { ...received, body: stored.read(slot?.bytes ?? Buffer.alloc(stored.length)), slot }
  } catch (error) {
    slot?.release()
    throw error
  } finally {
    stored.release()
  }
}

/**
 * Undoes the content codings of a response.
 * @throws FetchFailure
 */
export async function decodeResponse(response: LoadedResponse): Promise<FetchResponse> {
  const { body, plan, status, failure, truncated } = response
  const { coding, maxBody, slots } = plan
  let { slot } = response
  const release = () => {
    slot?.release()
    response.release()
  }
  if (coding === '' || body.length === 0) return fetched(response, withoutCoding(body), release)
  const takeMemory =
    slots &&
    (async () => {
      slot ??= await slots.take()
      return { slot, scratch: await slots.takeScratch() }
    })
  try {
    const options = { isPart: truncated, ...(takeMemory !== undefined && { takeMemory }) }
    return fetched(response, await decodeContent(body, coding, maxBody, options), release)
  } catch (error) {
    if (isRedirect(status))
      return { ...fetched(response, NOTHING, release), contentType: undefined }
    release()
    throw failure ?? failureOf(error).withStatus(status)
  }
}

function withoutCoding(body: Buffer): Decoded {
  return body.length === 0 ? NOTHING : { body, truncated: false, endsEarly: false }
}

/** Returns the response for the caller. Without a Content-Type, the type is recognized by the first bytes. */
function fetched(
  { status, headers, ms, received, plan, truncated, failure, digest, start }: Received,
  decoded: Decoded,
  release: () => void,
): FetchResponse {
  const { body, endsEarly } = decoded
  return {
    status,
    headers,
    contentType: plan.contentType ?? (body && { type: sniffType(body) }),
    body,
    bytes: body === undefined ? received : body.length,
    truncated: truncated || decoded.truncated || endsEarly,
    ms,
    endsEarly: endsEarly || failure !== undefined,
    failure,
    digest,
    start: plan.keepsStart ? (body?.subarray(0, START_BYTES) ?? start) : undefined,
    exchange: undefined,
    release,
  }
}
