import { expect, it } from 'vitest'
import { scanPage } from '../../../src/html/reference-scanner/scan-page.ts'
import { growth, SLACK } from '../../support/growth.ts'
import { HEADS, patternsAfter } from './hostile-pages.ts'

const SMALL = 2_048

it.each(HEADS)(
  'the reference scanner takes time linear in the size of a page that begins with "%s"',
  async (head) => {
    for (const pattern of patternsAfter(head)) {
      const read = (size: number) => {
        const body = Buffer.from(head + pattern.repeat(Math.ceil(size / pattern.length)))
        const { outlinks } = scanPage(body, undefined, { maxLinks: 1_000_000, assets: true }).page
        for (const link of [outlinks, outlinks.shown()])
          expect([...link]).toHaveLength(outlinks.length)
      }
      expect(await growth(read, SMALL), `more and more of "${pattern}"`).toBeLessThan(SLACK)
    }
  },
)
