import { expect, it } from 'vitest'
import { pageEvidence } from '../../src/fetch-worker/page-evidence.ts'
import { growth, SLACK } from '../support/growth.ts'

const of = (html: string, url = 'https://one.test/a/b.html') => pageEvidence(url, Buffer.from(html))
const scriptsOf = (...args: Parameters<typeof of>) => of(...args)?.scripts

it.each([
  ['no script', '<p>text<a href=/x>'],
  [
    'data alone',
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
  ['<body onload="go()">'],
  ['<iframe srcdoc="...">'],
])('a page with %s may need one', (html) => {
  expect(of(html)).toBeDefined()
})

it('pages load the same scripts, wherever they are, in any order, with any query', () => {
  const scripts = scriptsOf('<script src="../a.js?1"></script><script src=/b.js></script>')
  expect(scriptsOf('<script src=/b.js></script><script src=a.js?2>', 'https://one.test/c')).toBe(
    scripts,
  )
  expect(scriptsOf('<script src=/b.js></script><script src=c.js>')).not.toBe(scripts)
})

it('documents are the same if all of their bytes are', () => {
  expect(of('<script>1</script>')?.digest).not.toBe(of('<script>2</script>')?.digest)
})

it.each([['<script '], ['<script "'], ["<script x='"], ['<script src="']])(
  'takes a time that grows with the page only, for %s',
  async (start) => {
    expect(await growth((count) => of(start.repeat(count)), 5_000)).toBeLessThan(SLACK)
  },
)
