import { describe, expect, it } from 'vitest'
import { contentHashes } from '../../src/traps/content-hashes.ts'
import { growth, SLACK } from '../support/growth.ts'

function hashes(html: string) {
  return contentHashes(Buffer.from(html))
}

const PAGE = '<title>News</title><p>All of <b>it</b></p><a href="/a?sid=1">more</a>'

describe('content hashes of a page', () => {
  it('ignore link targets, comments and hidden fields', () => {
    for (const other of [
      PAGE.replace('sid=1', 'sid=2'),
      PAGE.replace('<p>', '<!-- made at noon --><p class="x > y">'),
      PAGE.replace('<p>', '<input type=hidden value=12><p>'),
    ]) {
      expect(hashes(other)).toEqual(hashes(PAGE))
    }
  })

  it.each([
    ['a word', PAGE.replace('All', 'None')],
    ['a title', PAGE.replace('News', 'Olds')],
    ['the label of a link', PAGE.replace('more', 'less')],
    ['the order of texts', '<title>News</title><p>it <b>All of</b></p><a href="/a?sid=1">more</a>'],
    ['a script', `${PAGE}<script>show("Tuesday")</script>`],
  ])('depend on %s', (_, other) => {
    expect(hashes(other).all).not.toBe(hashes(PAGE).all)
    expect(hashes(other).words).not.toBe(hashes(PAGE).words)
  })

  it('depend on texts after a < that starts no tag', () => {
    const [two, three] = ['two', 'three'].map((word) => hashes(`<p>1 < 2, <3 ${word}</p>`))
    expect(two?.all).not.toBe(three?.all)
    expect(two?.words).not.toBe(three?.words)
  })

  it.each([
    ['a number', PAGE.replace('All', 'All 3')],
    ['an image', `${PAGE}<img src=/1.png>`],
    ['a frame', `${PAGE}<iframe src="/inside"></iframe>`],
  ])("of the words alone don't depend on %s", (_, other) => {
    expect(hashes(other).all).not.toBe(hashes(PAGE).all)
    expect(hashes(other).words).toBe(hashes(PAGE).words)
  })

  it.each(['<', '<a', '<a ', '<img src="', '</', '<!--', 'a1 ', '<p>a'])(
    'take time linear in the size of "%s"',
    async (piece) => {
      const read = (size: number) => hashes(piece.repeat(size / piece.length))
      expect(await growth(read, 30_000)).toBeLessThan(SLACK)
    },
  )
})
