import { expect, it } from 'vitest'
import { BoilerplateDetector } from '../../../src/html/boilerplate/boilerplate-detector.ts'
import { scanPage } from '../../../src/html/reference-scanner/scan-page.ts'
import { TextSamples } from '../../../src/html/reference-scanner/text-samples.ts'
import { growth, SLACK } from '../../support/growth.ts'
import { HEADS, patternsAfter } from './hostile-pages.ts'

const SMALL = 2_048
/** All texts are frequent, so that each page is read to its end. */
const FREQUENT = { key: 7, count: () => 99 }

it.each(HEADS)(
  'the reference scanner takes time linear in the size of a page that begins with "%s"',
  async (head) => {
    const samples = new TextSamples()
    const detector = new BoilerplateDetector(FREQUENT)
    const options = { maxLinks: 1_000_000, assets: true, samples }
    for (const pattern of patternsAfter(head, ['<b style=url(>'])) {
      const read = (size: number) => {
        const body = Buffer.from(head + pattern.repeat(Math.ceil(size / pattern.length)))
        const { outlinks } = scanPage(body, undefined, options).page
        for (const link of [outlinks, outlinks.shown()])
          expect([...link]).toHaveLength(outlinks.length)
        detector.hasNewContent('http://a.test/x', samples)
      }
      expect(await growth(read, SMALL), `more and more of "${pattern}"`).toBeLessThan(SLACK)
    }
  },
)
