import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

const page = `<link rel=stylesheet href=/s.css><script src=/s.js></script>
  <img src=/i.png srcset="/i2.png 2x"><a href=/next>x</a>`

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

describe('--assets', () => {
  it('fetches assets at the depth of their page, also at the depth limit', async () => {
    const site = await serveSite({ '/': page, '/next': '<img src=/last.png>' })
    const { byPath } = await crawlSite(site, { assets: true, depth: 1 })
    const met = [...byPath].map(([path, { depth, hop }]) => [path, depth, hop])
    expect(met.sort()).toEqual([
      ['/', 0, 'seed'],
      ['/i.png', 0, 'asset'],
      ['/i2.png', 0, 'asset'],
      ['/last.png', 1, 'asset'],
      ['/next', 1, 'link'],
      ['/s.css', 0, 'asset'],
      ['/s.js', 0, 'asset'],
    ])
  })

  it('fetches files of styles and style sheets, and lazy images', async () => {
    const css = (text: string) => (_: unknown, response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/css; charset=utf-8' }).end(text)
    const site = await serveSite({
      '/': `<base href=/base/><style>p { background: url("head.png") }</style><link rel=stylesheet href=/s/a.css>
        <p style="background: url(&quot;inline.png?a&amp;b&quot;)"><img data-src=lazy.png data-srcset="one.png, two.png 2x">`,
      '/s/a.css': css('@import "b.css"; @font-face { src: url(font.woff2) }'),
      '/s/b.css': css('p { background: url(../image.png) }'),
    })
    const { byPath } = await crawlSite(site, { assets: true, depth: 0 })
    const base = ['head.png', 'inline.png?a&b', 'lazy.png', 'one.png', 'two.png']
    expect([...byPath.keys()].sort()).toEqual([
      ...['/', ...base.map((name) => `/base/${name}`)],
      ...['/image.png', '/s/a.css', '/s/b.css', '/s/font.woff2'],
    ])
    expect(byPath.get('/image.png')).toMatchObject({
      depth: 0,
      hop: 'asset',
      via: `${site.url}/s/b.css`,
    })
  })

  it('fetches modules that scripts import, and the icons of a manifest', async () => {
    const sent = (type: string, text: string) => (_: unknown, response: ServerResponse) =>
      response.writeHead(200, { 'content-type': type }).end(text)
    const script = (text: string) => sent('text/javascript', text)
    const site = await serveSite({
      '/': `<script type=importmap>{ "imports": { "lib": "/lib/index.js" } }</script><link rel=manifest href=/app.webmanifest>
        <script type=module src=/js/main.js></script><script type=module>import '/js/inline.js'</script>`,
      '/js/main.js': script(`import './parts/a.js'; import lib from 'lib'; import("./lazy.js")`),
      '/js/parts/a.js': script('new Worker(new URL(`../worker.js?type=module`, import.meta.url))'),
      '/app.webmanifest': sent('application/octet-stream', '{ "icons": [{ "src": "icon.png" }] }'),
    })
    const { byPath, summary } = await crawlSite(site, { assets: true, depth: 0 })
    expect([...byPath.keys()].sort()).toEqual([
      ...['/', '/app.webmanifest', '/icon.png', '/js/inline.js', '/js/lazy.js', '/js/main.js'],
      ...['/js/parts/a.js', '/js/worker.js?type=module', '/lib/index.js'],
    ])
    expect(byPath.get('/js/parts/a.js')).toMatchObject({
      hop: 'asset',
      via: `${site.url}/js/main.js`,
    })
    expect(summary.skipped).toEqual({})
  })

  it("fetches icons, posters, media, tracks, and files of SVG, resolved against the page's base", async () => {
    const names = ['icon', 'poster', 'video', 'source', 'track', 'object', 'embed', 'use', 'button']
    const site = await serveSite({
      '/': `<base href="/base/"><link rel="shortcut icon" href=icon><link rel=next href=no>
        <video poster=poster src=video><source src=source><track src=track></video>
        <object data=object></object><embed src=embed><input type=image src=button>
        <svg><use href="use#part"/><use href="#own"/></svg><img src="data:image/gif,"><img src="">`,
    })
    const { byPath, summary } = await crawlSite(site, { assets: true })
    expect([...byPath.keys()].sort()).toEqual(['/', ...names.map((name) => `/base/${name}`)].sort())
    expect(summary.skipped).toEqual({ scheme: 1 })
  })

  it('is at the depth of the page if that links to it as well as loading it', async () => {
    const site = await serveSite({ '/': '<a href=/i.png>x</a><img src=/i.png>' })
    const { byPath } = await crawlSite(site, { assets: true, depth: 0 })
    expect(byPath.get('/i.png')).toMatchObject({ depth: 0, hop: 'asset', via: `${site.url}/` })
  })

  it('stays in scope, and ignores nofollow, which applies to links', async () => {
    const site = await serveSite({
      '/': `<meta name=robots content=nofollow><a href=/a>x</a><img src=/i.png>
        <img src="http://elsewhere.test/i.png">`,
    })
    const { byPath, summary } = await crawlSite(site, { assets: true })
    expect([...byPath.keys()]).toEqual(['/', '/i.png'])
    expect(summary.skipped).toEqual({ nofollow: 1, 'out-of-scope': 1 })
  })

  it("doesn't widen the scope if an asset redirects to another host", async () => {
    const other = await serveSite({ '/i.png': 'x' })
    const site = await serveSite({
      '/': '<img src=/i.png>',
      '/i.png': (_, response) => response.writeHead(302, { location: `${other.url}/i.png` }).end(),
    })
    const { summary } = await crawlSite(site, { assets: true, allowPrivate: true })
    expect(other.requests).toEqual([])
    expect(summary.skipped).toEqual({ 'out-of-scope': 1 })
  })

  it('ends if each asset is a page that loads the next', async () => {
    const site = await serveSite(
      Object.fromEntries(
        ['/', ...numbered(100)].map((path, index) => [path, `<img src="/${index}">`]),
      ),
    )
    const config = { assets: true, depth: 0, maxRedirects: 5 }
    const { visits } = await crawlSite(site, config)
    expect(visits.length).toBeLessThan(100)
  })

  it('is off by default', async () => {
    const site = await serveSite({ '/': page, '/next': 'x' })
    expect([...(await crawlSite(site)).byPath.keys()]).toEqual(['/', '/next'])
  })
})
