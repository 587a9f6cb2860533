import { describe, expect, it } from 'vitest'
import { URL_SETTINGS } from '../../src/config/changed-settings.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { compareSettings, type RescannedPages } from '../../src/config/settings-change.ts'

const seeds = ['http://a.test/']

function compare(before: ConfigInput, now: ConfigInput): RescannedPages[] {
  const was = JSON.parse(JSON.stringify(resolveConfig({ seeds, ...before })))
  return [...compareSettings(was, resolveConfig({ seeds, ...now, force: true })).rescanned]
}

const CASES: [narrow: ConfigInput, wide: ConfigInput, links: RescannedPages][] = [
  [{ seeds }, { seeds: [...seeds, 'http://b.test/'] }, 'all'],
  [{ depth: 2 }, { depth: 3 }, 'of-the-deepest'],
  [{ scope: 'path' }, { scope: 'host' }, 'all'],
  [{ scope: 'host' }, { scope: 'any' }, 'all'],
  [{ include: ['a'] }, { include: ['a', 'b'] }, 'all'],
  [{ include: ['a'] }, {}, 'all'],
  [{ includePath: ['/a'] }, { includePath: ['/a', '/b'] }, 'all'],
  [{ includePath: ['/a'] }, {}, 'all'],
  [{ excludePath: ['/a', '/b'] }, { excludePath: ['/b'] }, 'all'],
  [{ exclude: ['a', 'b'] }, { exclude: ['a'] }, 'all'],
  [{ canonicalize: ['strip-www', 'sort-query'] }, { canonicalize: ['strip-www'] }, 'all'],
  [{ stripQuery: true }, {}, 'all'],
  [{ stripQuery: true }, { stripQuery: ['a'] }, 'all'],
  [{ stripQuery: ['a', 'b'] }, { stripQuery: ['b'] }, 'all'],
  [{}, { assets: true }, 'all'],
  [{ assets: true }, { assets: true, externalAssets: true }, 'all'],
  [{}, { external: true }, 'all'],
  [{}, { sitemaps: true }, 'all'],
  [{ depth: 'unlimited' }, { depth: 'unlimited', sitemaps: true }, 'of-the-seeds'],
  [{}, { ignoreRobots: true }, 'all'],
  [{}, { traps: false }, 'none'],
  [{}, { render: 'always' }, 'all'],
  [{ render: 'always' }, { render: 'always', interact: true }, 'all'],
  [{ contentDedup: 'exact', followDuplicates: false }, { contentDedup: 'exact' }, 'all'],
  [{ contentDedup: 'exact', followDuplicates: false }, { followDuplicates: false }, 'all'],
]

describe('changes that let a crawl reach more URLs', () => {
  it.each(CASES)(
    'are distinguished from the opposite change: %j, and %j',
    (narrow, wide, links) => {
      expect(compare(narrow, wide)).toEqual([links])
      expect(compare(wide, narrow)).toEqual([])
      expect(compare(wide, wide)).toEqual([])
    },
  )

  it('include any change of the hooks', () => {
    expect(compare({ hooks: 'a.js' }, { hooks: 'b.js' })).toEqual(['all'])
    expect(compare({ hooks: 'a.js' }, {})).toEqual(['all'])
  })

  it('count only with --force', () => {
    const was = JSON.parse(JSON.stringify(resolveConfig({ seeds, depth: 2 })))
    const change = (force: boolean) =>
      compareSettings(was, resolveConfig({ seeds, depth: 3, force }))
    expect(change(false)).toMatchObject({ changesUrls: false, rescanned: new Set() })
    expect(change(true)).toMatchObject({ changesUrls: true, depthBefore: 2 })
  })

  it("don't include limits and page data", () => {
    const others = { maxPages: 1, text: true, seen: 'exact', delay: '1s' } as const
    expect(compare({}, others)).toEqual([])
  })

  it('are tested for every setting that decides on URLs', () => {
    const named = new Set(
      CASES.flatMap((each) => each.slice(0, 2).flatMap((input) => Object.keys(input))),
    )
    expect(URL_SETTINGS.filter((name) => name !== 'hooks' && !named.has(name))).toEqual([])
  })
})
