import { expect, it } from 'vitest'
import { withEmptyElementsClosed } from '../../../src/fetch-worker/parse/close-empty-elements.ts'
import { growth, SLACK } from '../../support/growth.ts'
import { serve } from '../../support/serve.ts'
import { visitUrl } from '../visit-url.ts'

const PAGE = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/>
  <title/></head><body><textarea/><a href="/1"/><iframe src="/2" title='a>b' /><a href="/3">x</a></body></html>`

async function linksOf(type: string): Promise<number | undefined> {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(PAGE)
  })
  const { record } = await visitUrl(`${url}/`)
  return record?.discovered
}

it('an empty element of XHTML does not hide the links after it', async () => {
  expect(await linksOf('application/xhtml+xml')).toBe(3)
  expect(await linksOf('text/html')).toBe(0)
})

const closed = (html: string) => {
  const contentType = { type: 'application/xhtml+xml' }
  const page = { status: 200, headers: {}, body: Buffer.from(html), contentType }
  return withEmptyElementsClosed(page as never).body.toString()
}

it.each([
  ['<script/>é', '<script></script>é'],
  ['<title\n/>', '<title\n></title>'],
  ['<p/><titles/>', '<p/><titles/>'],
  ['<!-- <script/> --><script><![CDATA["<script/>"]]></script>', undefined],
  ['<style a="/>">', undefined],
])('in XHTML, %s becomes %s', (html, expected = html) => {
  expect(closed(html)).toBe(expected)
})

it.each(['a', '""'])(
  'a script with millions of %s between its name and its end is left as it is',
  (piece) => {
    const html = `<script ${piece.repeat(8_000_000)}/>`
    expect(closed(html) === html).toBe(true)
  },
)

it.each(['<script ', '<script "', `<script '"`, '<!--', '<![CDATA[', '<script a="b"'])(
  'closing empty elements takes time linear in the size of a page of %s',
  async (piece) => {
    expect(await growth((n) => closed(piece.repeat(n)), 2_000)).toBeLessThan(SLACK)
  },
)
