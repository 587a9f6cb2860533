import { expect, it } from 'vitest'
import { HtmlPage } from '../../src/page-data/html-page.ts'

const URL_OF_PAGE = 'http://a.test/b/c?d'

function baseOf(base: string | undefined): string {
  const crawlUrl = {
    ...{ id: 1, url: URL_OF_PAGE, depth: 0, sameDepthHops: 0, redirects: 0 },
    ...({ attempt: 1, failures: 0, hop: 'seed', keepLinks: false } as const),
  }
  const response = {
    ...{ status: 200, headers: {}, body: Buffer.from(''), bytes: 0, ms: 0 },
    ...{ truncated: false, endsEarly: false, contentType: undefined, release() {} },
  }
  return new HtmlPage(crawlUrl, response, { charset: 'utf-8', base }).base
}

it.each([
  [undefined, URL_OF_PAGE],
  ['', URL_OF_PAGE],
  ['../x/', 'http://a.test/x/'],
  ['//b.test', 'http://b.test/'],
  // Browsers ignore these (HTML standard, 4.2.3), so links are resolved against the page's own URL.
  ['http://[', URL_OF_PAGE],
  ['javascript:void(0)', URL_OF_PAGE],
  ['data:text/html,x', URL_OF_PAGE],
])('a page with the <base> %j has the base %s', (written, base) => {
  expect(baseOf(written)).toBe(base)
})
