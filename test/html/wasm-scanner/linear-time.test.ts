import { expect, it } from 'vitest'
import { PageScanner } from '../../../src/html/wasm-scanner/page-scanner.ts'
import { growth, SLACK } from '../../support/growth.ts'
import { HEADS, patternsAfter } from '../reference-scanner/hostile-pages.ts'

const SMALL = 4_096
const URL = 'http://a.test/x/y?z'
/** All texts are frequent, so that each page is read to its end. */
const FREQUENT = { key: 7, count: () => 99 }

/** Patterns that are slow only for the module. */
const MORE = [
  '<svg><x-y>',
  '<a rel="',
  '<a rel=x/href=y>',
  '<a href=../>',
  '<a href=x&>',
  '</a x=',
  '<b style=url(>',
]

it.each(HEADS)(
  'the page scanner takes time linear in the size of a hostile page that begins with "%s"',
  async (head) => {
    const scanner = PageScanner.open({ agents: ['x'], assets: true, textCounts: FREQUENT })
    for (const pattern of patternsAfter(head, MORE)) {
      const read = (size: number) => {
        const body = Buffer.from(head + pattern.repeat(Math.ceil(size / pattern.length)))
        scanner.body(body.length)?.set(body)
        const scan = scanner.scan(body.length)
        if (scan === undefined) return
        scanner.hasNewContent(scan, URL)
        scanner.links.report(scan, { url: URL, depth: 1 }, () => ({}))
        for (const links of [scan.outlinks, scan.outlinks.shown(), scan.assets]) [...links].length
      }
      expect(await growth(read, SMALL), `more and more of "${pattern}"`).toBeLessThan(SLACK)
    }
  },
)
