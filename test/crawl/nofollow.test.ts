import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Skip } from '../../src/records/skip.ts'
import type { Visit } from '../../src/records/visit.ts'
import { crawlSite, serveSite, startSite } from '../support/crawl-site.ts'
import type { SiteServer } from '../support/site-server.ts'
import { runAndLog } from './run-and-log.ts'

type Answers = Parameters<typeof startSite>[0]

const html = (body: string, headers: Readonly<Record<string, string>> = {}, status = 200) => {
  return (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
}

/** A site with nofollow in a link, a meta element and a header. */
const ASKING: Answers = {
  '/': `<a href=/kept>x</a><a rel="ugc nofollow" href=/by-rel>x</a>
    <a href=/meta>x</a><a href=/header>x</a>`,
  '/kept': 'x',
  '/meta': '<meta name=robots content="noindex, nofollow"><a href=/by-meta>x</a>',
  '/header': html('<a href=/by-header>x</a>', { 'x-robots-tag': 'orbweaver: nofollow' }),
}

/** Content types of pages, each with a link to a page of its own. */
const TYPES = ['text/plain', 'application/xml', 'application/xhtml+xml', 'TEXT/HTML; charset=x']
const typed = TYPES.map((type, index): [string, Answers[string]] => [
  `/page${index}.html`,
  html(`<!doctype html><a href=/next/${index}>x</a>`, { 'content-type': type }),
])

/** Sites that are crawled together. */
const SITES = {
  asking: ASKING,
  friend: {
    '/': '<a rel=nofollow href=/wanted>x</a><a href=/friend>x</a>',
    '/friend': '<a href=/wanted>x</a>',
    '/wanted': 'x',
  },
  closedHeaders: {
    '/': html('x', {
      ...{ refresh: '0; url=/refreshed', 'x-robots-tag': 'nofollow' },
      link: '</next>; rel=next',
    }),
  },
  noindex: {
    '/': '<a href=/a/>a</a><a href=/b/>b</a><a href=/c/>c</a>',
    '/a/': html('<meta name=robots content=NOINDEX><a href=next>x</a>'),
    '/b/': html('<a href=next>x</a>', { 'x-robots-tag': 'noindex' }),
    '/c/': html('<meta name=robots content=noarchive><a href=next>x</a>', {
      'x-robots-tag': 'orbweaver: noindex',
    }),
  },
  openHeaders: {
    '/': html('<base href="/base/"><meta http-equiv=refresh content="0; url=meta">', {
      refresh: '5; url=/refreshed',
      link: '</next>; rel=next, </style.css>; rel=stylesheet',
    }),
  },
  bodiless: { '/': html('', { refresh: '0; url=/refreshed' }) },
  frames: {
    '/': `<map><area href=/area></map><iframe src=/iframe></iframe><frame src=/frame>
      <svg><a xlink:href=/svg></a></svg><form action=/form></form><link rel=next href=/link>
      <template><a href=/template></a></template><!-- <a href=/comment> -->
      <noscript><a href=/noscript></a></noscript><script>"<a href=/script>"</script>`,
  },
  typed: {
    '/': typed.map(([path]) => `<a href=${path}>x</a>`).join(''),
    ...Object.fromEntries(typed),
  },
  missing: { '/': html('<a href=/next>x</a>', {}, 404) },
  untyped: {
    '/': (_: unknown, response: ServerResponse) =>
      void response.end('<!doctype html><a href=/found>x</a>'),
    '/found': 'x',
  },
} satisfies Record<string, Answers>

describe('in a crawl of many sites,', () => {
  const sites = new Map<string, SiteServer>()
  let visits: readonly Visit[]
  let skips: readonly Skip[]

  beforeAll(async () => {
    for (const [name, answers] of Object.entries(SITES)) sites.set(name, await startSite(answers))
    const seeds = [...sites.values()].map(({ url }) => `${url}/`)
    const run = await runAndLog({ seeds, workers: 1, skipped: 'listed' })
    visits = run.visits
    skips = run.skips
  })

  afterAll(() => Promise.all([...sites.values()].map((site) => site.close())))

  /** Returns the visits to a site by path, and the reasons why URLs of it were skipped. */
  function crawled(name: keyof typeof SITES) {
    const { url = 'none' } = sites.get(name) ?? {}
    const own = visits.filter((visit) => visit.url.startsWith(`${url}/`))
    const reasons = skips.filter((skip) => skip.url.startsWith(`${url}/`))
    return {
      url,
      byPath: new Map(own.map((visit) => [visit.url.slice(url.length), visit])),
      reasons: reasons.map(({ reason }) => reason),
    }
  }

  describe('nofollow', () => {
    it('is obeyed in links, meta elements and headers', () => {
      const { byPath, reasons } = crawled('asking')
      expect([...byPath.keys()].sort()).toEqual(['/', '/header', '/kept', '/meta'])
      expect(reasons).toEqual(['nofollow', 'nofollow', 'nofollow'])
      expect(byPath.get('/meta')).toMatchObject({ noindex: true, links: 1 })
      expect(byPath.get('/header')).not.toHaveProperty('noindex')
    })

    it("doesn't apply to links of other pages to the same URL", () => {
      const { byPath, url, reasons } = crawled('friend')
      expect(byPath.get('/wanted')).toMatchObject({ via: `${url}/friend`, depth: 2 })
      expect(reasons).toEqual(['nofollow'])
    })

    it('applies to Refresh and Link headers, too', () => {
      const { byPath, reasons } = crawled('closedHeaders')
      expect([...byPath.keys()]).toEqual(['/'])
      expect(reasons).toEqual(['nofollow', 'nofollow'])
    })
  })

  it("noindex of a meta element or a header is in the record, and doesn't stop links", () => {
    const { byPath } = crawled('noindex')
    for (const path of ['/a/', '/b/', '/c/']) {
      expect(byPath.get(path), path).toMatchObject({ noindex: true })
      expect(byPath.has(`${path}next`), path).toBe(true)
    }
    expect(byPath.get('/')).not.toHaveProperty('noindex')
  })

  describe('links', () => {
    const depthsOf = (name: keyof typeof SITES) =>
      [...crawled(name).byPath].map(([path, { depth }]) => [path, depth]).sort()

    it('are followed from Refresh and Link headers and from a meta refresh', () => {
      const linked = ['/base/meta', '/next', '/refreshed']
      expect(depthsOf('openHeaders')).toEqual([['/', 0], ...linked.map((path) => [path, 1])])
    })

    it('are followed from the headers of a page without a body', () => {
      expect([...crawled('bodiless').byPath.keys()]).toEqual(['/', '/refreshed'])
    })

    it('are also followed from area, iframe and frame, one level deeper', () => {
      const linked = ['/area', '/frame', '/iframe', '/noscript', '/svg']
      expect(depthsOf('frames')).toEqual([['/', 0], ...linked.map((path) => [path, 1])])
    })

    it('are followed on pages sent as HTML or XHTML, whatever their file name', () => {
      const { byPath } = crawled('typed')
      const followed = TYPES.filter((_, index) => byPath.has(`/next/${index}`))
      expect(followed).toEqual(['application/xhtml+xml', 'TEXT/HTML; charset=x'])
      expect(byPath.size).toBe(1 + TYPES.length + followed.length)
    })

    it('of an error response are not followed', () => {
      expect([...crawled('missing').byPath.keys()]).toEqual(['/'])
    })

    it('are found on an HTML page without a Content-Type', () => {
      const { byPath } = crawled('untyped')
      expect(byPath.get('/')).toMatchObject({ contentType: 'text/html', links: 1 })
      expect(byPath.get('/found')).toMatchObject({ status: 200, depth: 1 })
    })
  })
})

describe('nofollow of a page', () => {
  it('applies to the crawler named by --user-agent', async () => {
    const site = await serveSite({
      '/': '<meta name=examplebot content=nofollow><a href=/next>x</a>',
    })
    const userAgent = 'Mozilla/5.0 (compatible; ExampleBot/0.1)'
    expect((await crawlSite(site, { userAgent })).byPath.has('/next')).toBe(false)
    expect((await crawlSite(site)).byPath.has('/next')).toBe(true)
  })

  it('is ignored with --ignore-robots, but noindex is in the record', async () => {
    const { byPath } = await crawlSite(await serveSite(ASKING), { ignoreRobots: true })
    expect([...byPath.keys()]).toEqual(
      expect.arrayContaining(['/by-rel', '/by-meta', '/by-header']),
    )
    expect(byPath.get('/meta')).toMatchObject({ noindex: true })
  })
})
