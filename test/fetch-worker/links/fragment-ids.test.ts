import { expect, it } from 'vitest'
import { fragmentIdsOf } from '../../../src/fetch-worker/links/fragment-ids.ts'

it('fragment ids are ids of all elements and names of links, each once', () => {
  const html = `<!doctype html><h1 id=one>1</h1><a name="two">2</a><A NAME='three' ID="four">3</A>
    <meta name="no"><input name=no><p ID="five&amp;&#x20ac;">5</p><p id=one></p><p id=""></p>
    <!-- <p id=no> --><script>'<p id=no>'</script><svg><a id="six"/></svg><p class=id data-id=no`
  expect(fragmentIdsOf(html)).toEqual(['one', 'two', 'three', 'four', 'five&€', 'six'])
})

it('finds no ids inside templates, but those of templates', () => {
  const html = `<template id=one><p id=no><template id=no></template><a name=no></template><p id=two>
    <TEMPLATE shadowrootmode=open ID=three><p id=no></TEMPLATE></template><p id=four><template/><p id=no>`
  expect(fragmentIdsOf(html)).toEqual(['one', 'two', 'three', 'four'])
})

it.each([
  ['after a comment that ends in --!>', '<!-- <p id=no> --!><p id=yes>'],
  ['of the first id of a tag, as browsers do', '<p id=yes ID=no><a name="" name=no>'],
  ['outside of iframes', '<iframe><p id=no></iframe><p id=yes>'],
  ['outside of noembed', '<noembed><p id=no></noembed><p id=yes>'],
  ['outside of noframes', '<noframes><p id=no></noframes><p id=yes>'],
  ['outside of scripts that seem to be closed', '<script/><p id=no></script><p id=yes>'],
  ['after a style of SVG that is closed', '<svg><style/><script/></svg><p id=yes>'],
  ['before plain text', '<p id=yes><plaintext><p id=no>'],
])('finds fragment ids %s', (_, html) => expect(fragmentIdsOf(html)).toEqual(['yes']))

it('fragment ids are limited in length', () => {
  const long = `<p id="${'x'.repeat(100_000)}">`
  expect(fragmentIdsOf(long)?.[0]?.length).toBe(2_000)
})

it('fragment ids are unknown if there are too many, so that none is reported as missing', () => {
  const ids = Array.from({ length: 100_000 }, (_, id) => `<p id=${id}><a name=${id}></a>`).join('')
  expect(fragmentIdsOf(ids)).toHaveLength(100_000)
  expect(fragmentIdsOf(`${ids}<p id=x>`)).toBeUndefined()
})
