import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

const links = ['/p?b=1&a=2', '/p?a=2&b=1', '/p?a=2&b=1&utm_source=x', '/p?a=2&b=1&utm_source=x']

describe('--canonicalize', () => {
  it('merges URLs by the rules that are named, and counts them by rule', async () => {
    const site = await serveSite({
      '/': links.map((href) => `<a href="${href}">x</a>`).join(''),
      '/p?a=2&b=1': 'x',
    })
    const { byPath, summary } = await crawlSite(site, {
      canonicalize: ['strip-tracking', 'sort-query'],
    })
    expect([...byPath.keys()]).toEqual(['/', '/p?a=2&b=1'])
    expect(summary.merged).toEqual({ 'sort-query': 1, 'strip-tracking': 1 })
  })

  it('merges nothing that is not asked for', async () => {
    const site = await serveSite({ '/': links.map((href) => `<a href="${href}">x</a>`).join('') })
    const { byPath, summary } = await crawlSite(site)
    expect([...byPath.keys()].sort()).toEqual(['/', ...new Set(links)].sort())
    expect(summary.merged).toEqual({})
  })
})
