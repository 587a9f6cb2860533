import { describe, expect, it } from 'vitest'
import { TemplateMemory } from '../../../src/render/learning/template-memory.ts'

/** Decides on the pages of a site one after the other. Returns those that are rendered, and what they bring. */
function visitAll(
  memory: TemplateMemory,
  pages: readonly {
    url: string
    scripts?: string
    digest?: string
    gain?: number
    shown?: number
  }[],
) {
  return pages.map(({ url, scripts = 's', digest = url, gain = 0, shown = gain }, id) => {
    const decision = memory.decide(id, `https://one.test${url}`, { scripts, digest })
    if (decision === 'render') memory.learn(id, gain, shown)
    return decision === 'render'
  })
}

const numbered = (count: number, gainOf: (n: number) => number = () => 0) =>
  Array.from({ length: count }, (_, n) => ({ url: `/${n}.html`, gain: gainOf(n) }))
const countOf = (rendered: readonly boolean[]) => rendered.filter(Boolean).length
const placesOf = (rendered: readonly boolean[]) =>
  rendered.flatMap((each, index) => (each ? [index + 1] : []))

describe('a page template', () => {
  it('is static after three pages without new links, and checked again at powers of two', () => {
    const rendered = visitAll(new TemplateMemory(), numbered(1_000))
    expect(placesOf(rendered)).toEqual([1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512])
  })

  it('is rendered while that finds new URLs, and for three more pages', () => {
    const rendered = visitAll(
      new TemplateMemory(),
      numbered(40, (n) => (n < 20 ? 1 : 0)),
    )
    expect(placesOf(rendered)).toEqual([...Array.from({ length: 23 }, (_, n) => n + 1), 32])
  })

  it('is rendered again after a later check finds new URLs', () => {
    const rendered = visitAll(
      new TemplateMemory(),
      numbered(40, (n) => (n >= 7 ? 1 : 0)),
    )
    expect(countOf(rendered)).toBe(4 + 33)
  })

  it('consists of pages with the same scripts in a directory; many directories share one', () => {
    const memory = new TemplateMemory()
    const pages = (count: number, scripts: string) =>
      Array.from({ length: count }, (_, n) => ({ url: `/${n % 40}/${n}`, scripts }))
    expect(countOf(visitAll(memory, pages(400, 'one')))).toBeLessThan(8 * 3 + 9)
    expect(countOf(visitAll(memory, pages(3, 'two')))).toBe(3)
  })

  it('forgets all but the last 100 documents that need a browser', () => {
    const memory = new TemplateMemory()
    visitAll(
      memory,
      numbered(101, () => 1),
    )
    const { shells } = memory.learnedOf('one.test') ?? {}
    expect(shells).toEqual(Array.from({ length: 100 }, (_, n) => `/${n + 1}.html`))
  })

  it('holds pages back while running renders may show that they need none', () => {
    const memory = new TemplateMemory()
    const decide = (id: number) =>
      memory.decide(id, `https://one.test/${id}`, { scripts: '', digest: `${id}` })
    expect([1, 2, 3, 4].map(decide)).toEqual(['render', 'render', 'render', 'wait'])
    memory.learn(1, undefined)
    expect([decide(4), decide(5)]).toEqual(['render', 'wait'])
    for (const id of [2, 3, 4]) memory.learn(id, 0)
    // The fourth page that counts is at a power of two.
    expect([decide(5), decide(6)]).toEqual(['static', 'static'])
  })

  it("doesn't hold back more and more pages if rendering finds links", () => {
    const memory = new TemplateMemory()
    visitAll(
      memory,
      numbered(10, () => 1),
    )
    const more = Array.from({ length: 30 }, (_, n) =>
      memory.decide(100 + n, `https://one.test/${n}`, { scripts: 's', digest: `more ${n}` }),
    )
    expect(more.filter((each) => each === 'render')).toHaveLength(20)
  })
})

describe('a document that has links only after rendering', () => {
  it('is rendered under each of its URLs: a single-page app', () => {
    const shells = Array.from({ length: 50 }, (_, n) => ({
      url: `/r${n}`,
      digest: 'shell',
      shown: 5,
    }))
    expect(countOf(visitAll(new TemplateMemory(), shells))).toBe(50)
  })

  it('without links is not rendered under each of its URLs', () => {
    const same = Array.from({ length: 50 }, (_, n) => ({ url: `/r${n}`, digest: 'gone' }))
    expect(countOf(visitAll(new TemplateMemory(), same))).toBe(7)
  })
})

it('learned templates can be exported and adopted', () => {
  const [first, second] = [new TemplateMemory(), new TemplateMemory()]
  const shells = [1, 2].map((n) => ({ url: `/app/r${n}`, digest: 'shell', shown: 5 }))
  visitAll(first, [...numbered(10), ...shells])
  for (const [host, learned] of first.learned) second.adopt(host, structuredClone(learned))
  expect(countOf(visitAll(second, numbered(5)))).toBe(0)
  expect(countOf(visitAll(second, shells))).toBe(2)
})

it('the number of templates is limited', () => {
  const memory = new TemplateMemory()
  for (let n = 0; n < 5_000; n++) {
    visitAll(memory, [{ url: `/${n}/`, scripts: `${n}`, digest: `${n}` }])
  }
  const counts = memory.learned.map(([, { templates }]) => templates.length)
  expect(counts).toEqual([2_000])
})
