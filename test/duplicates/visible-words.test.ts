import { expect, it } from 'vitest'
import { visibleWords } from '../../src/duplicates/visible-words.ts'
import { growth, SLACK } from '../support/growth.ts'

const words = (html: string, most = 1_000) => visibleWords(html, most).join(' ')

it.each([
  ['text between tags', '<p>An <b>Orb</b> web</p>', 'an orb web'],
  ['character references', 'caf&eacute; &#x41;B', 'café ab'],
  ['no comments, tags or attributes', '<!-- no --><img alt="no">yes<!doctype no>', 'yes'],
  ['no scripts, styles, titles or templates', hidden(), 'one two three four five'],
  ['what follows a hidden element in a hidden one', '<template><style>a</style>b</template>c', 'c'],
  [
    'what follows a self-closing hidden element of SVG or MathML',
    '<svg><style/></svg>a<math><script/></math>b',
    'a b',
  ],
  [
    'nothing after such an element of HTML until its end tag',
    'a<script/>no</script>b<title/>no',
    'a b',
  ],
  ['no menus', '<p>a<nav>no<nav>no</nav>no</nav><p>b</nav>c', 'a b c'],
  ['a menu without an end tag', 'a<nav>b<p>c', 'a b c'],
  ['no tags of menus in hidden elements', 'a<template><nav></template>b</nav>c', 'a b c'],
  ['no fallback of frames', 'a<iframe><p>no</iframe>b<noframes><p>no</noframes>', 'a b'],
  ['what follows a comment that ends in --!>', 'a<!-- no --!> b', 'a b'],
  ['text after nested hidden elements', '<template><style>a</style>b</template>c', 'c'],
  ['characters of scripts without spaces', '蜘蛛の網 ok', '蜘 蛛 の 網 ok'],
  ['such characters after digits and other letters', '5月 Web網 データ', '5 月 web 網 デ ー タ'],
  ['digits, and letters with their marks', '42 pages, हिन्दी', '42 pages हिन्दी'],
  ['a page that ends in the middle of a tag', 'end <a href="', 'end'],
])('the visible words of a page: %s', (_, html, expected) => {
  expect(words(html)).toBe(expected)
})

function hidden(): string {
  const elements = ['script', 'STYLE', 'title', 'template'].map((name) => `<${name}>no</${name}>`)
  return ['one', 'two', 'three', 'four', 'five'].map((w, i) => w + (elements[i] ?? '')).join(' ')
}

it('the visible words of a page end after the given number', () => {
  expect(words('a b c <p>d', 2)).toBe('a b')
})

it('a word as long as the longest page is cut into words of 1,000 letters', () => {
  expect(visibleWords('a'.repeat(10 * 2 ** 20), 20_000)).toHaveLength(10_486)
})

it.each([
  ['elements that are never closed', '<i>'],
  ['end tags without start tags', '</u>'],
  ['endless words', 'a'],
  ['references', '&amp;'],
])('the visible words of a page are read in time linear in its size, with %s', async (_, piece) => {
  const read = (size: number) => visibleWords(piece.repeat(size / piece.length), 1_000_000)
  expect(await growth(read, 8_192)).toBeLessThan(SLACK)
})
