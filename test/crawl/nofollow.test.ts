import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

describe('a page that asks not to be followed', () => {
  const answers = {
    '/': `<a href=/kept>x</a><a rel="ugc nofollow" href=/by-rel>x</a>
      <a href=/meta>x</a><a href=/header>x</a>`,
    '/kept': 'x',
    '/meta': '<meta name=robots content="noindex, nofollow"><a href=/by-meta>x</a>',
    '/header': (_: unknown, response: import('node:http').ServerResponse) => {
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

  it('is not obeyed with --ignore-robots', async () => {
    const { byPath } = await crawlSite(await serveSite(answers), { ignoreRobots: true })
    expect([...byPath.keys()]).toEqual(
      expect.arrayContaining(['/by-rel', '/by-meta', '/by-header']),
    )
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

  it('are found on an HTML page that is sent without a type', async () => {
    const site = await serveSite({
      '/': (_, response) => response.end('<!doctype html><a href=/found>x</a>'),
      '/found': 'x',
    })
    const { byPath } = await crawlSite(site)
    expect(byPath.get('/found')).toMatchObject({ status: 200, depth: 1 })
  })
})
