import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

describe('a page that asks not to be followed', () => {
  const answers = {
    '/': `<a href=/kept>x</a><a rel="ugc nofollow" href=/by-rel>x</a>
      <a href=/meta>x</a><a href=/header>x</a>`,
    '/kept': 'x',
    '/meta': '<meta name=robots content="noindex, nofollow"><a href=/by-meta>x</a>',
    '/header': (_: unknown, response: ServerResponse) => {
      response.setHeader('x-robots-tag', 'orbweaver: nofollow')
      response.setHeader('content-type', 'text/html')
      response.end('<a href=/by-header>x</a>')
    },
  }

  it('is obeyed, by link, by meta element and by header', async () => {
    const { byPath, summary } = await crawlSite(await serveSite(answers))
    expect([...byPath.keys()].sort()).toEqual(['/', '/header', '/kept', '/meta'])
    expect(summary.skipped).toMatchObject({ nofollow: 3 })
    expect(byPath.get('/meta')).toMatchObject({ noindex: true, links: 1 })
    expect(byPath.get('/header')).not.toHaveProperty('noindex')
  })

  it('goes by the name that --user-agent begins with', async () => {
    const site = await serveSite({
      '/': '<meta name=examplebot content=nofollow><a href=/next>x</a>',
    })
    const userAgent = 'Mozilla/5.0 (compatible; ExampleBot/0.1)'
    expect((await crawlSite(site, { userAgent })).byPath.has('/next')).toBe(false)
    expect((await crawlSite(site)).byPath.has('/next')).toBe(true)
  })

  it('does not speak for other pages that link there', async () => {
    const site = await serveSite({
      '/': '<a rel=nofollow href=/wanted>x</a><a href=/friend>x</a>',
      '/friend': '<a href=/wanted>x</a>',
      '/wanted': 'x',
    })
    const { byPath, summary } = await crawlSite(site)
    expect(byPath.get('/wanted')).toMatchObject({ via: `${site.url}/friend`, depth: 2 })
    expect(summary.skipped).toEqual({ nofollow: 1 })
  })

  it('holds for its Refresh and Link headers, too', async () => {
    const site = await serveSite({
      '/': (_, response) => {
        response.setHeader('refresh', '0; url=/refreshed').setHeader('x-robots-tag', 'nofollow')
        response.setHeader('link', '</next>; rel=next').setHeader('content-type', 'text/html')
        response.end('x')
      },
    })
    const { byPath, summary } = await crawlSite(site)
    expect([...byPath.keys()]).toEqual(['/'])
    expect(summary.skipped).toEqual({ nofollow: 2 })
  })

  it('is not obeyed with --ignore-robots', async () => {
    const { byPath } = await crawlSite(await serveSite(answers), { ignoreRobots: true })
    expect([...byPath.keys()]).toEqual(
      expect.arrayContaining(['/by-rel', '/by-meta', '/by-header']),
    )
  })
})

describe('noindex', () => {
  it('of a meta element or a header is in the record, and keeps no link back', async () => {
    const page = (meta: string, header: string) => (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': header })
      response.end(`<meta name=robots content="${meta}"><a href=next>x</a>`)
    }
    const site = await serveSite({
      '/': '<a href=/a/>a</a><a href=/b/>b</a><a href=/c/>c</a>',
      ...{ '/a/': page('NOINDEX', ''), '/b/': page('', 'noindex') },
      '/c/': page('noarchive', 'orbweaver: noindex'),
    })
    const { byPath } = await crawlSite(site)
    for (const path of ['/a/', '/b/', '/c/']) {
      expect(byPath.get(path), path).toMatchObject({ noindex: true })
      expect(byPath.has(`${path}next`), path).toBe(true)
    }
    expect(byPath.get('/')).not.toHaveProperty('noindex')
  })

  it('is in the record with --ignore-robots, too', async () => {
    const site = await serveSite({ '/': '<meta name=robots content=noindex>' })
    const { byPath } = await crawlSite(site, { ignoreRobots: true })
    expect(byPath.get('/')).toMatchObject({ noindex: true })
  })
})

describe('links outside of the page', () => {
  it('are followed from Refresh and Link headers and from a meta refresh', async () => {
    const site = await serveSite({
      '/': (_, response) => {
        response.setHeader('refresh', '5; url=/refreshed')
        response.setHeader('link', '</next>; rel=next, </style.css>; rel=stylesheet')
        response.setHeader('content-type', 'text/html')
        response.end('<base href="/base/"><meta http-equiv=refresh content="0; url=meta">')
      },
    })
    const { byPath } = await crawlSite(site)
    expect([...byPath].map(([path, { depth }]) => [path, depth]).sort()).toEqual([
      ['/', 0],
      ['/base/meta', 1],
      ['/next', 1],
      ['/refreshed', 1],
    ])
  })

  it('are followed from the headers of a page without a body', async () => {
    const site = await serveSite({
      '/': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', refresh: '0; url=/refreshed' }).end()
      },
    })
    expect([...(await crawlSite(site)).byPath.keys()]).toEqual(['/', '/refreshed'])
  })

  it('are those of area, iframe and frame as well, one link deeper', async () => {
    const site = await serveSite({
      '/': `<map><area href=/area></map><iframe src=/iframe></iframe><frame src=/frame>
        <svg><a xlink:href=/svg></a></svg><form action=/form></form><link rel=next href=/link>
        <template><a href=/template></a></template><!-- <a href=/comment> -->
        <noscript><a href=/noscript></a></noscript><script>"<a href=/script>"</script>`,
    })
    const { byPath } = await crawlSite(site, { depth: 1 })
    expect([...byPath].map(([path, { depth }]) => [path, depth]).sort()).toEqual([
      ['/', 0],
      ...['/area', '/frame', '/iframe', '/noscript', '/svg'].map((path) => [path, 1]),
    ])
  })

  it('are followed where the page is sent as HTML or XHTML, whatever it is named', async () => {
    const types = ['text/plain', 'application/xml', 'application/xhtml+xml', 'TEXT/HTML; charset=x']
    const pages = types.map((type, index) => {
      const answer = (_: unknown, response: ServerResponse) =>
        void response
          .writeHead(200, { 'content-type': type })
          .end(`<!doctype html><a href=/next/${index}>x</a>`)
      return [`/page${index}.html`, answer] as const
    })
    const site = await serveSite(Object.fromEntries(pages))
    const { byPath } = await crawlSite(site, { seeds: pages.map(([path]) => site.url + path) })
    const followed = types.filter((_, index) => byPath.has(`/next/${index}`))
    expect(followed).toEqual(['application/xhtml+xml', 'TEXT/HTML; charset=x'])
    expect(byPath.size).toBe(types.length + followed.length)
  })

  it('of an answer that is no success are left alone', async () => {
    const site = await serveSite({
      '/': (_, response) => {
        response.writeHead(404, { 'content-type': 'text/html' }).end('<a href=/next>x</a>')
      },
    })
    expect([...(await crawlSite(site)).byPath.keys()]).toEqual(['/'])
  })

  it('are found on an HTML page that is sent without a type', async () => {
    const site = await serveSite({
      '/': (_, response) => response.end('<!doctype html><a href=/found>x</a>'),
      '/found': 'x',
    })
    const { byPath } = await crawlSite(site)
    expect(byPath.get('/')).toMatchObject({ contentType: 'text/html', links: 1 })
    expect(byPath.get('/found')).toMatchObject({ status: 200, depth: 1 })
  })
})
