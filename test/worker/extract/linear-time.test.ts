import { expect, it } from 'vitest'
import { extract } from '../../../src/worker/extract/extract.ts'

const SMALL = 8_192
const TIMES = 32
/** Square time would be `TIMES` times linear time; a busy machine may make it this many times. */
const SLACK = 8
const TRIES = 5

/** CPU milliseconds to read `size` bytes of the pattern. */
function cost(head: string, pattern: string, size: number): number {
  const body = Buffer.from(head + pattern.repeat(Math.ceil(size / pattern.length)))
  const before = process.cpuUsage()
  extract(body, undefined, { maxLinks: 1_000_000, assets: true })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** How many times longer the long page took than the short one; the least of a few tries, while it is too much. */
function growth(head: string, pattern: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least > TIMES * SLACK; tries += 1) {
    const once = Math.max(cost(head, pattern, SMALL), 0.5)
    least = Math.min(least, cost(head, pattern, SMALL * TIMES) / once)
  }
  return least
}

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

it.each(heads)('takes time linear in the size of a hostile page that begins with "%s"', (head) => {
  for (const pattern of patterns) {
    const label = `${TIMES} times as many "${pattern}"`
    expect(growth(head, pattern), label).toBeLessThan(TIMES * SLACK)
  }
})
