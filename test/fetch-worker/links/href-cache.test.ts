import { describe, expect, it } from 'vitest'
import { HrefCache } from '../../../src/fetch-worker/links/href-cache.ts'

/** Stores where each href leads, and returns where it is found. */
class Remembered {
  readonly #memory = new HrefCache<{ to: string }>()

  keep(href: string, reach = 1): void {
    const bytes = Buffer.from(href, 'latin1')
    this.#memory.find(bytes, 0, bytes.length, reach)
    this.#memory.keep(bytes, 0, reach, { to: href })
  }

  find(href: string, reach = 1): string | undefined {
    const page = Buffer.from(`<a href="${href}">`, 'latin1')
    const start = page.indexOf('"') + 1
    return this.#memory.find(page, start, start + href.length, reach)?.to
  }
}

describe('a cache of hrefs', () => {
  it('finds a stored href with any fragment', () => {
    const memory = new Remembered()
    memory.keep('a.html#top')
    expect(memory.find('a.html')).toBe('a.html#top')
    expect(memory.find('a.html#bottom')).toBe('a.html#top')
    expect(memory.find('b.html')).toBeUndefined()
    expect(memory.find('a.htm')).toBeUndefined()
  })

  it('distinguishes hrefs by where they are relative to', () => {
    const memory = new Remembered()
    memory.keep('a', 1)
    expect(memory.find('a', 2)).toBeUndefined()
  })

  it("doesn't take a character reference for a fragment", () => {
    const memory = new Remembered()
    memory.keep('a&#46;b')
    expect(memory.find('a&#47;b')).toBeUndefined()
    expect(memory.find('a&#46;b')).toBe('a&#46;b')
  })

  it('never confuses two hrefs, in any number', () => {
    const memory = new Remembered()
    const hrefs = Array.from({ length: 100_000 }, (_, n) => `${n.toString(36)}/index.html`)
    for (const href of hrefs) memory.keep(href)
    const found = hrefs.map((href) => memory.find(href)).filter((to) => to !== undefined)
    expect(found.length).toBeGreaterThan(1_000)
    expect(hrefs.every((href) => [href, undefined].includes(memory.find(href)))).toBe(true)
  })

  it("doesn't store an href that exceeds its space", () => {
    const memory = new Remembered()
    const long = 'x'.repeat(2_000_000)
    memory.keep(long)
    memory.keep('y')
    expect(memory.find(long) === undefined).toBe(true)
    expect(memory.find('y')).toBe('y')
  })
})
