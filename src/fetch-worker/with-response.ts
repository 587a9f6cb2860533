import { FetchFailure } from '../fetch/fetch-failure.ts'
import type { FetchResponse } from '../fetch/fetcher.ts'
import { collectGarbage } from '../runtime/collect-garbage.ts'

/** Bytes of a body above which garbage is collected as soon as the response is processed. */
const LARGE_BODY = 2 ** 20

/**
 * Waits for a response. Returns what `process` returns for it, and frees its memory afterwards. If there is no response,
 * returns what `explain` returns for the failure.
 */
export async function withResponse<T>(
  request: Promise<FetchResponse>,
  process: (response: FetchResponse) => T | Promise<T>,
  explain: (failure: FetchFailure) => T,
): Promise<T> {
  let response: FetchResponse | undefined
  try {
    response = await request
    return await process(response)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return explain(error)
  } finally {
    response?.release()
    if ((response?.body?.length ?? 0) > LARGE_BODY) collectGarbage('major')
  }
}
