import { describe, expect, it } from 'vitest'
import { TextSamples } from '../../../src/html/reference-scanner/text-samples.ts'
import { page } from './scanned.ts'

/** Returns the text samples of a page, as they are in its source. */
function shownBy(html: string): string[] {
  const samples = new TextSamples()
  page(html, { samples })
  return Array.from({ length: samples.count }, (_, index) => {
    const { start, end } = samples.at(index)
    return Buffer.from(samples.page.bytes.subarray(start, end)).toString().trim()
  })
}

describe('text samples', () => {
  it('collects title, texts and media', () => {
    const html = `<title>Hi</title><p>A text that is long enough</p><b>short</b>
      <img src=/a.png alt=A><p>Another <i>with a part that is long enough</i></p>`
    expect(shownBy(html)).toEqual([
      'Hi',
      'A text that is long enough',
      'src=/a.png alt=A>',
      'with a part that is long enough',
    ])
  })

  it("skips what isn't text, or isn't shown", () => {
    const html = `<script>let text = 'A text that is long enough'</script>
      <style>.a { content: 'A text that is long enough' }</style>
      <!-- A text that is long enough -->
      <template><p>A text that is long enough</p><img src=/a.png></template>
      <div>                                                 </div>
      <a href=/>A label that is long enough</a>`
    expect(shownBy(html)).toEqual([])
  })

  it('takes a limited sample of a large page, from its beginning to its end', () => {
    const texts = Array.from({ length: 1_000 }, (_, i) => `<p>This is paragraph number ${i}</p>`)
    const shown = shownBy(`<title>T</title>${texts.join('')}`)
    expect(shown.length).toBeGreaterThanOrEqual(16)
    expect(shown.length).toBeLessThanOrEqual(32)
    expect(shown[0]).toBe('T')
    expect(Number(shown.at(-1)?.split(' ').at(-1))).toBeGreaterThan(900)
  })

  it('starts anew with each page', () => {
    const samples = new TextSamples()
    for (let i = 0; i < 3; i++) page('<p>A text that is long enough</p>', { samples })
    expect(samples.count).toBe(1)
  })
})
