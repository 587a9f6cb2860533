import { describe, expect, it } from 'vitest'
import { crawlSite, serveSite } from '../support/crawl-site.ts'

const page = `<link rel=stylesheet href=/s.css><script src=/s.js></script>
  <img src=/i.png srcset="/i2.png 2x"><a href=/next>x</a>`

describe('--assets', () => {
  it('fetches what a page loads at the depth of the page, at the depth limit too', async () => {
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

  it('are left alone without the flag', async () => {
    const site = await serveSite({ '/': page, '/next': 'x' })
    expect([...(await crawlSite(site)).byPath.keys()]).toEqual(['/', '/next'])
  })
})
