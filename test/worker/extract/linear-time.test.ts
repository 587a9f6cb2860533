import { expect, it } from 'vitest'
import { extract } from '../../../src/worker/extract/extract.ts'
import { growth, SLACK } from '../../support/growth.ts'

const SMALL = 2_048

const patterns = [
  '<',
  '>',
  '&',
  '"',
  '=',
  '/',
  '<!',
  '<!-',
  '<!--',
  '<!-->',
  '--',
  '<a ',
  '<a',
  '</',
  '</a',
  '<a href=',
  '<a href="',
  "<a href='",
  '<a href=x>',
  '<a href="&amp;é">',
  `<a href="'`,
  `<a title='"`,
  '<a href="x" ',
  '<script>',
  '<script><!--',
  '<script><!--</script>',
  '<script><!--<script>',
  '<title>',
  '<title></title>',
  '<textarea>',
  '<textarea></',
  '<style></style',
  '<svg>',
  '<svg><g>',
  '<svg></x>',
  '<svg></div>',
  '<svg><![CDATA[',
  '<math><mi>',
  '<template>',
  '</template>',
  '<plaintext>',
  '<meta charset=x>',
  '<meta http-equiv=refresh content="0;url=',
  '<base href=x>',
  '<p x',
  '<p x=',
  '&#x',
  '&#1',
  '&am',
  '\xff',
  '\0',
  '\x1b$',
  ' ',
  '<?',
  '<!DOCTYPE ',
  '<img srcset="',
  '<img srcset="/a, /b 2x">',
  ',',
  ', ',
  '(',
  'a (',
  'a 1x ',
]
// One endless value, title or comment each.
const heads = [
  '',
  '<svg>',
  '<a href="',
  '<a href=',
  '<title>',
  '<meta http-equiv=refresh content="',
  '<meta http-equiv=content-type content="',
  '<!--',
  '<script>',
  '<script><!--',
  '<a ',
  '<img srcset="',
]

it.each(heads)(
  'takes time linear in the size of a hostile page that begins with "%s"',
  async (head) => {
    for (const pattern of patterns) {
      const read = (size: number) => {
        const body = Buffer.from(head + pattern.repeat(Math.ceil(size / pattern.length)))
        const { outlinks } = extract(body, undefined, { maxLinks: 1_000_000, assets: true }).page
        for (const link of [outlinks, outlinks.shown()])
          expect([...link]).toHaveLength(outlinks.length)
      }
      expect(await growth(read, SMALL), `more and more of "${pattern}"`).toBeLessThan(SLACK)
    }
  },
)
