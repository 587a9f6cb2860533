import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { md } from '../../../src/formats/per-visit/md.ts'
import type { Visit } from '../../../src/records/visit.ts'
import { recordOf } from '../../support/record-of.ts'
import { keepsTheContract } from '../output-contract.ts'

keepsTheContract({
  file: 'visits.md',
  read: (file) => {
    const [head, rule, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect([head, rule]).toEqual(md.head.trimEnd().split('\n'))
    return rows
  },
})

const row = (visit: Partial<Visit>) =>
  md.encode({ record: recordOf({ url: 'http://a.test/', depth: 1, ...visit }) })

describe('a row of Markdown', () => {
  it('has the status, the depth, the title as a link, and the time', () => {
    expect(row({ status: 200, title: 'A page', ms: 12 })).toBe(
      '| 200 | 1 | [A page](<http://a.test/>) | 12 ms |\n',
    )
  })

  it('has the error, and where a redirect leads', () => {
    const error = { code: 'timeout', message: 'no answer' } as const
    expect(row({ error })).toBe('| timeout | 1 | <http://a.test/> |  |\n')
    expect(row({ status: 301, redirectsTo: 'http://b.test/', title: ' ' })).toBe(
      '| 301 | 1 | <http://a.test/> → <http://b.test/> |  |\n',
    )
    expect(row({ status: 301, redirectsTo: 'javascript:a' })).toContain(' → javascript\\:a |')
  })

  it('shows titles unchanged, and escapes markup in them', () => {
    const title = 'a|b](http://evil.test) <img src=x> `c` **d**\n\u001b[31m# e'
    expect(row({ status: 200, title })).toBe(
      '| 200 | 1 | [a\\|b\\]\\(http\\://evil.test\\) \\<img src=x\\> \\`c\\` \\*\\*d\\*\\*\ufffd\ufffd\\[31m\\# e](<http://a.test/>) |  |\n',
    )
  })

  it('escapes characters in a URL that would end the link or the cell', () => {
    expect(row({ url: 'http://a.test/a|b>(c)?d=\\' })).toContain(
      '<http://a.test/a%7Cb%3E(c)?d=%5C>',
    )
  })

  it('keeps what looks like an HTML entity in a URL, as a page that escapes it twice leaves it', () => {
    const url = 'http://a.test/?a=1&amp;b=2&c'
    const target = '(<http://a.test/?a=1&amp;amp;b=2&c>)'
    expect(row({ url, title: 'A' })).toContain(`| [A]${target} |`)
    // Renderers differ in whether <...> alone has entities.
    expect(row({ url })).toContain(`| [http\\://a.test/?a=1\\&amp;b=2\\&c]${target} |`)
  })
})
