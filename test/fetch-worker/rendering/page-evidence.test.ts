import { describe, expect, it } from 'vitest'
import { pageEvidence } from '../../../src/fetch-worker/rendering/page-evidence.ts'
import { growth, SLACK } from '../../support/growth.ts'

const of = (html: string, url = 'https://one.test/a/b.html') => pageEvidence(url, Buffer.from(html))
const scriptsOf = (...args: Parameters<typeof of>) => of(...args)?.scripts

it.each([
  ['no script', '<p>text<a href=/x>'],
  [
    'only data in scripts',
    '<script type="application/ld+json">{}</script><SCRIPT TYPE=importmap>{}</SCRIPT>',
  ],
  ['a tag with a similar name', '<scripture>'],
])('a page with %s needs no browser', (_, html) => {
  expect(of(html)).toBeUndefined()
})

it.each([
  ['<script>1</script>'],
  ['<SCRIPT SRC=a.js>'],
  ['<script type=module src=a.js>'],
  ['<script src="/a.js?type=json"></script>'],
  ['<script data-type="text/plain" src=a.js></script>'],
  ['<script type=" text/javascript ">1</script>'],
  ['<script type="text/javascript; charset=utf-8">1</script>'],
  ['<body onload="go()">'],
  ['<iframe srcdoc="...">'],
])('a page with %s may need a browser', (html) => {
  expect(of(html)).toBeDefined()
})

it('pages have the same scripts if they load the same URLs, in any order and with any query', () => {
  const scripts = scriptsOf('<script src="../a.js?1"></script><script src=/b.js></script>')
  expect(scripts).toBeDefined()
  expect(scriptsOf('<script src=/b.js></script><script src=a.js?2>', 'https://one.test/c')).toBe(
    scripts,
  )
  expect(scriptsOf('<script src=/b.js></script><script src=c.js>')).not.toBe(scripts)
})

it('the scripts of a page in UTF-16 are found', () => {
  const evidence = (html: string, charset?: string) =>
    pageEvidence('https://one.test/', Buffer.from(html, 'utf16le'), charset)
  const scripts = scriptsOf('<script src=/a.js>')
  expect(scripts).toBeDefined()
  expect(evidence('\ufeff<script src=/a.js>')?.scripts).toBe(scripts)
  expect(evidence('<script src=/a.js>', 'utf-16le')?.scripts).toBe(scripts)
  expect(evidence('<script src=/a.js>')?.scripts).toBe(scripts)
  expect(evidence('<p>text')).toBeUndefined()
})

it('scripts that are only named in other attributes are not loaded', () => {
  const inline = scriptsOf('<script>1</script>')
  expect(inline).toBeDefined()
  expect(scriptsOf('<script data-src=a.js>1</script>')).toBe(inline)
})

it('documents with different bytes have different digests', () => {
  expect(of('<script>1</script>')?.digest).not.toBe(of('<script>2</script>')?.digest)
})

it.each([['<script '], ['<script "'], ["<script x='"], ['<script src="']])(
  'the scripts of a page are found in time linear in its size, for %s',
  async (start) => {
    expect(await growth((count) => of(start.repeat(count)), 5_000)).toBeLessThan(SLACK)
  },
)

describe('signs that a page shows little without its scripts', () => {
  const page = '<a href=/x>x</a><script src=a.js></script>'
  const signsOf = (html: string) => of(html)?.signs

  it.each([
    [0, page],
    [0, `${page}<div id=app>text</div><noscript><img src=pixel.gif></noscript>`],
    [1, '<a name=top></a><script src=a.js></script>'],
    [1, `${page}<div class=x id="root"> </div>`],
    [1, `${page}<app-root></app-root>`],
    [1, `${page}<noscript>You need to enable JavaScript to run this app.</noscript>`],
    [3, '<script src=a.js></script><noscript>Enable JS!</noscript><div id=__next></div>'],
  ])('are %d in number', (count, html) => {
    expect(signsOf(html)).toBe(count)
  })

  it.each([['<a '], ['<div '], ['<noscript>'], ['<x-y> '], ['<div><']])(
    'are counted in time linear in the size of the page, for %s',
    async (start) => {
      const html = (count: number) => `<script></script>${start.repeat(count)}`
      expect(await growth((count) => of(html(count)), 5_000)).toBeLessThan(SLACK)
    },
  )
})
