import { describe, expect, it } from 'vitest'
import type { ResourceLoad, ResourceReply } from '../../src/render/rendered-page.ts'
import { ResourceCache } from '../../src/render/resource-cache.ts'

const URL_OF_SCRIPT = 'https://one.test/app.js'
const body = Buffer.from('code')

/** A request for the file. */
function loadOf(more: Partial<ResourceLoad> = {}): ResourceLoad {
  return { url: URL_OF_SCRIPT, headers: {}, isCrossSite: false, ...more }
}

/**
 * Opens a cache. The first request gets this reply, and others an empty one. Returns also the URLs that were requested.
 */
function cacheAfter(first: ResourceReply, limit?: number) {
  const requested: string[] = []
  const cache = new ResourceCache(async ({ url }) => {
    const isFirst = requested.push(url) === 1
    return isFirst ? first : { status: 200, headers: {}, body: Buffer.alloc(0) }
  }, limit)
  return { cache, requested }
}

describe('a file of a rendered page', () => {
  it.each([200, 301, 404, 410])('is requested once if its status is %i', async (status) => {
    const { cache, requested } = cacheAfter({ status, headers: {}, body })
    for (const fragment of ['', '#part']) {
      expect(await cache.load(loadOf({ url: URL_OF_SCRIPT + fragment }))).toMatchObject({ status })
    }
    expect(requested).toEqual([URL_OF_SCRIPT])
  })

  it.each<[string, ResourceReply]>([
    ["it couldn't be fetched", { refused: 'no complete response within 30000 ms' }],
    ['its server had too many requests', { status: 429, headers: {}, body }],
    ['it took too long', { status: 408, headers: {}, body }],
    ['its server had an error', { status: 503, headers: {}, body }],
    ['it must not be stored', { status: 200, headers: { 'cache-control': 'no-store' }, body }],
  ])('is requested again for the next page if %s', async (_, first) => {
    const { cache, requested } = cacheAfter(first)
    expect(await cache.load(loadOf())).toEqual(first)
    expect(await cache.load(loadOf())).toMatchObject({ status: 200 })
    expect(requested).toHaveLength(2)
  })

  it('is requested once for simultaneous pages, and once for each origin, each type that they accept, and without secrets', async () => {
    const { cache, requested } = cacheAfter({ status: 200, headers: {}, body })
    await Promise.all([cache.load(loadOf()), cache.load(loadOf())])
    expect(requested).toHaveLength(1)
    await cache.load(loadOf({ headers: { origin: 'https://two.test' } }))
    await cache.load(loadOf({ headers: { accept: 'application/json' } }))
    await cache.load(loadOf({ isCrossSite: true }))
    expect(requested).toHaveLength(4)
  })

  it('is dropped for files that were used later', async () => {
    const { cache, requested } = cacheAfter({ status: 200, headers: {}, body }, 2_500)
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.load(loadOf({ url: name }))
    expect(requested).toEqual(['a', 'b', 'c', 'b'])
  })
})
