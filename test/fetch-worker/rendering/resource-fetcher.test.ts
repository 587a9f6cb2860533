import { expect, it } from 'vitest'
import { ResourceFetcher } from '../../../src/fetch-worker/rendering/resource-fetcher.ts'
import { ENOUGH, openTestFetcher } from '../../fetch/open-test-fetcher.ts'
import { serve } from '../../support/serve.ts'

it('a page of another site makes no requests to an origin that gets the client certificate', async () => {
  const [own, other] = [await serveAny(), await serveAny()]
  const resources = new ResourceFetcher(openTestFetcher(), {
    ...{ maxBody: ENOUGH, maxRetryAfter: 1_000, headerOrigins: [own.url], retryStatus: [] },
    certificates: { client: { certificate: 'any', key: 'any' } },
  })
  const load = (url: string, isCrossSite: boolean) =>
    resources.fetch({ type: 'resource', id: 1, url: `${url}/`, isCrossSite })
  expect(await load(own.url, true)).toMatchObject({
    reply: { refused: 'a page of another site may not use the client certificate' },
  })
  expect(own.requests).toEqual([])
  expect(await load(own.url, false)).toMatchObject({ reply: { status: 200 } })
  expect(await load(other.url, true)).toMatchObject({ reply: { status: 200 } })
})

function serveAny() {
  return serve((_, response) => void response.end('x'))
}
