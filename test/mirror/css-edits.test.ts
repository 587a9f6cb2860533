import { tokenizer } from '@csstools/css-tokenizer'
import { describe, expect, it } from 'vitest'
import { cssUrls } from '../../src/html/style-sheet/css-urls.ts'
import { cssLinkEdits } from '../../src/mirror/css-edits.ts'
import { applyEdits, type LinkRewriter } from '../../src/mirror/text-edits.ts'

const rewritten = (css: string, relink: LinkRewriter) => applyEdits(css, cssLinkEdits(css, relink))

describe('a style sheet', () => {
  it.each([
    ['url(a.png)', ['a.png']],
    [`url( "a b.png" ) , URL('c.png')`, ['a b.png', 'c.png']],
    ['url(a\\20 b.png)', ['a b.png']],
    ['@import "a.css" screen; @import url(b.css);', ['a.css', 'b.css']],
    ['image-set("a.png" 1x, url(b.png) 2x)', ['a.png', 'b.png']],
    ['/* url(a.png) */ p { content: "url(b.png)"; --c: counter("d") }', []],
    ['url(a.png', ['a.png']],
    ['url("a', ['a']],
    ['}}url(a.png)', ['a.png']],
  ])('%s refers to %j', (css, urls) => {
    expect([...cssUrls(css)].map(({ url }) => url)).toEqual(urls)
  })

  it('gets new URLs, and is otherwise unchanged', () => {
    const css = `p { background: url( 'a' )!important } @import "b"; @font-face { src: url(c)format("woff") }`
    expect(rewritten(css, (url) => (url === 'b' ? undefined : `x/${url}`))).toBe(
      `p { background: url( "x/a" )!important } @import "b"; @font-face { src: url("x/c")format("woff") }`,
    )
  })

  it('keeps empty URLs, which lead nowhere', () => {
    const css = `p { background: url() } li { list-style: url("") url(a) }`
    expect(rewritten(css, (url) => `x/${url}`)).toBe(css.replace('url(a)', 'url("x/a")'))
  })

  it("can't be broken out of by a URL with special characters", () => {
    expect(rewritten('url(a)', () => '"\\)\n')).toBe('url("\\22 \\5c )\\a ")')
  })

  it('full of errors is read without stack traces, which would take most of the time', () => {
    const errors = '"\n'.repeat(25_000)
    const read = cpuTime(() => expect([...cssUrls(errors)]).toEqual([]))
    expect(read).toBeLessThan(0.6 * cpuTime(() => readTokens(errors)))
  })
})

/** Reads a style sheet with the package's defaults, which create a stack trace for each error. */
function readTokens(css: string): void {
  const tokens = tokenizer({ css }, { onParseError() {} })
  while (!tokens.endOfFile()) tokens.nextToken()
}

/** Returns the microseconds of CPU time of this thread, the least of a few tries. */
function cpuTime(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}
