import { describe, expect, it } from 'vitest'
import { serve } from '../../support/serve.ts'
import { html, visitUrl } from '../visit-url.ts'

/** Visits `/dir/page` with these headers and this body. Returns `canonical` of its record, without the origin. */
async function canonicalOf(headers: Record<string, string | string[]>, body: string) {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { ...html, ...headers }).end(body)
  })
  const { record } = await visitUrl(`${url}/dir/page`)
  return record?.canonical?.replace(url, '')
}

describe('the canonical URL of a page', () => {
  it.each([
    ['</other>; rel="canonical"', '/other'],
    ['<other>; rel=Canonical', '/dir/other'],
    ['</2>; rel=next, </other>; rel="alternate canonical"; hreflang=en', '/other'],
    ['</first>; rel=canonical, </second>; rel=canonical', '/first'],
    [['</2>; rel=next', '</other>; rel=canonical'], '/other'],
    ['</about-another>; rel=canonical; anchor="/else", </other>; rel=canonical', '/other'],
    ['</file.pdf>; rel=canonical; type="application/pdf"', '/file.pdf'],
  ])('is that of the Link header %j', async (link, canonical) => {
    expect(await canonicalOf({ link }, '<base href=/base/><p>x')).toBe(canonical)
  })

  it.each(['</2>; rel=next', '<mailto:a@b>; rel=canonical', '<>; rel=canonical', 'rel=canonical'])(
    'is not in the Link header %j',
    async (link) => {
      expect(await canonicalOf({ link }, '<p>x')).toBeUndefined()
    },
  )

  it("is that of the page's own link, even if there is a header", async () => {
    const headers = { link: '</header>; rel=canonical' }
    const own = '<base href=/base/><link rel=canonical href=own>'
    expect(await canonicalOf(headers, own)).toBe('/base/own')
  })

  it("may be the page's own URL, unlike none at all", async () => {
    expect(await canonicalOf({}, '<link rel=canonical href=page#top>')).toBe('/dir/page')
    expect(await canonicalOf({ link: '<page>; rel=canonical' }, '')).toBe('/dir/page')
    expect(
      await canonicalOf({ link: '</x>; rel=canonical' }, '<link rel=canonical href=page>'),
    ).toBe('/dir/page')
    expect(await canonicalOf({}, '<p>x')).toBeUndefined()
  })

  it('is searched for in the first 1,000 links of the header', async () => {
    const many = '</>; rel=a,'.repeat(999)
    expect(await canonicalOf({ link: `${many}</x>; rel=canonical` }, '')).toBe('/x')
    expect(await canonicalOf({ link: `${many}</>,</x>; rel=canonical` }, '')).toBeUndefined()
  })

  it('is read from the header of other files, too', async () => {
    const headers = { 'content-type': 'application/pdf', link: '</page>; rel=canonical' }
    expect(await canonicalOf(headers, '%PDF-1.7')).toBe('/page')
  })
})
