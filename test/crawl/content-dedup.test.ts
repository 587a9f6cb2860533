import { describe, expect, it } from 'vitest'
import { type CrawledSite, crawlSite, serveSite } from '../support/crawl-site.ts'

const prose = Array.from({ length: 600 }, (_, index) => `word${(index * 7919) % 1_009}`)
const link = (path: string) => `<a href="${path}">on</a>`
/** Returns a page with the text above, and a few words of its own. */
const article = (own: string, ...links: string[]) =>
  `<title>${own}</title><p>${prose.join(' ')}<p>${own}${links.map(link).join('')}`
const originals = ({ visits }: CrawledSite) =>
  Object.fromEntries(
    visits.flatMap(({ url, duplicateOf }) =>
      duplicateOf === undefined ? [] : [[new URL(url).pathname, new URL(duplicateOf).pathname]],
    ),
  )
// One request at a time, so that the order of the pages is known.
const inTurn = { workers: 1, concurrency: 1 }

describe('--content-dedup', () => {
  const sameTwice = {
    '/': ['/a', '/b', '/c', '/empty', '/void'].map(link).join(''),
    ...{ '/a': article('x', '/d'), '/b': article('x', '/d'), '/c': article('y', '/b') },
    ...{ '/empty': '', '/void': '', '/d': 'the end' },
  }

  it('exact names the first page with the same body, and follows its links', async () => {
    const site = await serveSite({ ...sameTwice, '/b': article('x', '/d') })
    const crawled = await crawlSite(site, { ...inTurn, contentDedup: 'exact' })
    expect(originals(crawled)).toEqual({ '/b': '/a' })
    expect(crawled.visits).toHaveLength(7)
  })

  it('near reports pages with nearly the same text, whatever their markup', async () => {
    const site = await serveSite({
      ...sameTwice,
      '/c': article('x', '/b').replaceAll('<p>', '<div class="new"><!-- ad --><script>1</script>'),
      '/d': article('x').replaceAll('word', 'other'),
    })
    const crawled = await crawlSite(site, { ...inTurn, contentDedup: 'near' })
    expect(originals(crawled)).toEqual({ '/b': '/a', '/c': '/a' })
  })

  it('near compares the element of --content, or the whole page without one', async () => {
    // The hash has a random key. An odd number of words, each shown 20 times, outweighs the rest for any key.
    const items = prose.slice(0, 101).map((word) => `<li>${word}`)
    const menu = `<ul>${items.join('').repeat(20)}</ul>`
    const page = (text: string) => `${menu}<main>${text}</main>`
    const other = prose.map((word) => word.replace('word', 'other')).join(' ')
    const site = await serveSite({
      '/': ['/a', '/b', '/c', '/d', '/e'].map(link).join(''),
      ...{ '/a': page('spiders spin webs'), '/b': page('hubs hold radii') },
      ...{ '/c': `${other}<main>spiders spin webs</main>`, '/d': menu, '/e': menu },
    })
    const near = { ...inTurn, contentDedup: 'near' } as const
    const whole = { '/b': '/a', '/d': '/a', '/e': '/a' }
    expect(originals(await crawlSite(site, near))).toEqual(whole)
    const parts = originals(await crawlSite(site, { ...near, content: 'main' }))
    expect(parts).toEqual({ '/c': '/a', '/e': '/d' })
  })

  it('reports nothing without the flag', async () => {
    const crawled = await crawlSite(await serveSite(sameTwice), inTurn)
    expect(originals(crawled)).toEqual({})
  })

  it('compares neither truncated pages nor errors', async () => {
    const body = article('x')
    const missing = (_: unknown, response: import('node:http').ServerResponse) =>
      void response.writeHead(404, { 'content-type': 'text/html' }).end('gone')
    const site = await serveSite({
      ...{ '/': ['/a', '/b', '/e', '/f'].map(link).join(''), '/a': body, '/b': body },
      ...{ '/e': missing, '/f': missing },
    })
    const limits = { ...inTurn, maxBody: '1kB' } as const
    expect(originals(await crawlSite(site, { ...limits, contentDedup: 'exact' }))).toEqual({})
  })
})

describe('--no-follow-duplicates', () => {
  const config = { contentDedup: 'exact', followDuplicates: false, depth: 9 } as const

  it('follows no links of duplicates, and all of other pages', async () => {
    const site = await serveSite({
      '/': ['/a/', '/b/'].map(link).join(''),
      ...{ '/a/': link('next'), '/b/': link('next'), '/a/next': 'A', '/b/next': 'B' },
    })
    const { byPath } = await crawlSite(site, { ...config, ...inTurn })
    expect([...byPath.keys()]).toEqual(['/', '/a/', '/b/', '/a/next'])
    expect(byPath.get('/b/')).toMatchObject({ links: 1, discovered: 0 })
    expect(byPath.get('/a/')).toMatchObject({ links: 1, discovered: 1 })
  })

  it('loses no URL that both a duplicate and a later page link to', async () => {
    const pages = Array.from({ length: 40 }, (_, number) => number)
    const copy = (number: number) => `/copy/${number}/`
    const site = await serveSite({
      '/': pages.map((number) => link(copy(number)) + link(`/own/${number}`)).join(''),
      // All copies have the same bytes, but their relative links differ.
      ...Object.fromEntries(pages.map((number) => [copy(number), link('x')])),
      ...Object.fromEntries(
        pages.map((number) => [`/own/${number}`, `${number}${link(`${copy(number)}x`)}`]),
      ),
      ...Object.fromEntries(pages.map((number) => [`${copy(number)}x`, `end ${number}`])),
    })
    const crawled = await crawlSite(site, { ...config, workers: 3, concurrency: 1 })
    expect(crawled.visits).toHaveLength(121)
    expect(Object.keys(originals(crawled))).toHaveLength(39)
  })

  it('is repeatable with --deterministic', async () => {
    const site = await serveSite({
      '/': Array.from({ length: 25 }, (_, number) => link(`/${number}/`)).join(''),
      ...Object.fromEntries(
        Array.from({ length: 25 }, (_, n) => [`/${n}/`, `${n % 7}${link('next')}`]),
      ),
    })
    const run = async (workers: number) =>
      (await crawlSite(site, { ...config, workers, concurrency: 1, deterministic: true })).visits
    expect(await run(3)).toEqual(await run(1))
  })
})
