import { expect, it } from 'vitest'
import { pageStyles, styleSheetAssets } from '../../../src/html/style-sheet/page-styles.ts'

const urlsOf = (html: string) => pageStyles(html).map(({ url }) => url)

it.each([
  ['<style>p{background:url(a)}</style>', ['a']],
  ['<style>p{background:url(a)}', ['a']],
  ['<STYLE>@import "a"', ['a']],
  ['<p style="background:url(&quot;a&amp;b&quot;)">', ['a&b']],
  ["<p style='background:url(a)' style='background:url(b)'>", ['a']],
  ['<p style=background:url(a)><br style="mask:url(b)"/>', ['a', 'b']],
  [
    '<img data-src=a data-srcset="b 1x, c 2x"><source data-srcset=d><div data-src=e>',
    ['a', 'b', 'c', 'd'],
  ],
  ['<p style="color:red">url(x)<!-- <p style="mask:url(y)"> -->', []],
  ['<script>"<p style=mask:url(x)>"</script><textarea><p style=mask:url(x)></textarea>', []],
  ['<template><p style=mask:url(a)><template></template></template><p style=mask:url(b)>', ['b']],
  ['<template shadowrootmode=open><p style=mask:url(a)></template>', ['a']],
  ['<p style="mask:url(#own)"><p style="mask:url()">', []],
])('%s loads %j', (html, urls) => {
  expect(urlsOf(html)).toEqual(urls)
})

it('tells images from what else a style sheet loads', () => {
  const css = `@import url(a.css); @namespace svg url(http://www.w3.org/2000/svg); @font-face { src: url(b.woff) }
    @media print { p { background: url(c.png); cursor: url(d.cur) } } @import "e.css"; q { mask: image-set("f.png" 1x) }`
  const images = styleSheetAssets(css).filter(({ isImage }) => isImage)
  expect(images.map(({ url }) => url)).toEqual(['c.png', 'd.cur', 'f.png'])
})

it('reads a bounded part of what a page has', () => {
  expect(urlsOf(`<style>${'p{}'.repeat(1_400_000)}p{mask:url(late)}`)).toEqual([])
  const many = Array.from({ length: 10_001 }, (_, at) => `p{mask:url(${at})}`).join('')
  expect(styleSheetAssets(many)).toHaveLength(10_000)
  expect(urlsOf(`<p style="mask:url(${'x'.repeat(70_000)})">`)).toEqual([])
})
