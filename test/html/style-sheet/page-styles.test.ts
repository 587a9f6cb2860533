import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { findStyleAssets, styleSheetAssets } from '../../../src/html/style-sheet/page-styles.ts'

const urlsOf = (html: string) => findStyleAssets(html).map(({ url }) => url)

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
  ['<style/>p{background:url(a)}<b></style>', ['a']],
  ['<svg><style/>url(x)</svg><style>p{mask:url(a)}</style>', ['a']],
  ['<!-- --!><p style=mask:url(a)><iframe><p style=mask:url(x)></iframe>', ['a']],
])('%s loads %j', (html, urls) => {
  expect(urlsOf(html)).toEqual(urls)
})

it.each([
  // lazysizes, jQuery Lazy Load, WP Rocket, Jetpack, Slick, Unveil, Owl Carousel, Flickity, Echo, Cloudflare Mirage
  ...['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-src-retina', 'data-echo'],
  ...['data-flickity-lazyload', 'data-flickity-lazyload-src', 'data-cfsrc', 'data-lowsrc'],
  // lozad, jQuery Lazy, Splide, mod_pagespeed, Optimole, Ezoic, NitroPack, xLazyLoader
  ...['data-iesrc', 'data-retina', 'data-splide-lazy', 'data-pagespeed-lazy-src', 'data-opt-src'],
  ...['data-ezsrc', 'nitro-lazy-src', 'data-ll-src'],
])('the URL in the attribute %s of lazy images is found', (name) => {
  expect(findStyleAssets(`<img ${name}=/a.jpg><div ${name}=/b.jpg>`)).toEqual([
    { url: '/a.jpg', isImage: true },
  ])
})

it.each([
  ...['data-srcset', 'data-lazy-srcset', 'data-original-set', 'data-flickity-lazyload-srcset'],
  ...['data-cfsrcset', 'data-splide-lazy-srcset', 'data-pagespeed-lazy-srcset', 'data-ezsrcset'],
  ...['nitro-lazy-srcset', 'data-ll-srcset', 'data-lazyload-srcset'],
])('the URLs in the attribute %s of lazy images and their sources are found', (name) => {
  const html = `<source ${name}="/a.jpg 1x, /b.jpg 2x"><img ${name.toUpperCase()}=/c.jpg><p ${name}=/d.jpg>`
  expect(urlsOf(html)).toEqual(['/a.jpg', '/b.jpg', '/c.jpg'])
})

it.each([
  // lazysizes, lozad, vanilla-lazyload, Swiper, Elementor, Echo, Flickity
  ...['data-bg', 'data-bg-hidpi', 'data-background', 'data-background-image', 'data-thumbnail'],
  ...['data-echo-background', 'data-flickity-bg-lazyload'],
  // Slider Revolution, parallax.js, Smush, and many themes
  ...['data-lazyload', 'data-lazyload-src', 'data-image-src', 'data-bg-image', 'data-bg-src'],
])('the background in the attribute %s of any element is found', (name) => {
  const html = `<div ${name}=/a.jpg><p ${name}="url('b.webp?x')"><p ${name}=https://c.test/d>`
  expect(urlsOf(html)).toEqual(['/a.jpg', 'b.webp?x', 'https://c.test/d'])
  // Themes use these names for many other things.
  expect(urlsOf(`<iframe ${name}=/frame><script ${name}=/x.js></script>`)).toEqual([])
  expect(urlsOf(`<p ${name}=dark><p ${name}=#fff><p ${name}=true><p ${name}=blue.box>`)).toEqual([])
})

it.each([
  ['<div data-bg-multi="url(a.jpg), url(b.png), linear-gradient(#fff, #000)">', ['a.jpg', 'b.png']],
  ['<div data-bg-multi-hidpi="url(a.jpg)">', ['a.jpg']],
  [
    `<div data-bg-set="url('a.jpg') 1x, url('b.jpg') 2x | url('c.jpg') 1x">`,
    ['a.jpg', 'b.jpg', 'c.jpg'],
  ],
  ['<div data-background-image-set="url(a.jpg) 1x">', ['a.jpg']],
  ['<div data-bgset="a.jpg 600w, b.jpg 1200w">', ['a.jpg', 'b.jpg']],
  ['<video data-poster=poster.jpg>', ['poster.jpg']],
  [
    '<meta property=og:image content=a.jpg><meta content="b.jpg" name=Twitter:Image>',
    ['a.jpg', 'b.jpg'],
  ],
  [
    '<meta property=og:image:secure_url content=a><meta name=twitter:image:src content=b>',
    ['a', 'b'],
  ],
  ['<meta property=og:image:width content=200><meta name=og:title content=x.jpg>', []],
])('the images of %s are found', (html, urls) => {
  expect(findStyleAssets(html)).toEqual(urls.map((url) => ({ url, isImage: true })))
})

it('images are distinguished from other files that a style sheet loads', () => {
  const css = `@import url(a.css); @namespace svg url(http://www.w3.org/2000/svg); @font-face { src: url(b.woff) }
    @media print { p { background: url(c.png); cursor: url(d.cur) } } @import "e.css"; q { mask: image-set("f.png" 1x) }`
  const images = styleSheetAssets(css).filter(({ isImage }) => isImage)
  expect(images.map(({ url }) => url)).toEqual(['c.png', 'd.cur', 'f.png'])
})

it('a namespace is a name, which a style sheet does not load', () => {
  const css = `@namespace url(http://a.test/1); @NAMESPACE svg url("http://a.test/2"); @namespace "http://a.test/3";
    p { background: url(a.png) }`
  expect(styleSheetAssets(css)).toEqual([{ url: 'a.png', isImage: true }])
})

it('a value of millions of character references takes little memory', async () => {
  const { href } = new URL('../../../src/html/style-sheet/page-styles.ts', import.meta.url)
  const page = `'<p style="mask:url(a)' + '&lt'.repeat(3_000_000) + '">'`
  const code = `import('${href}').then(({ findStyleAssets }) => findStyleAssets(${page}))`
  const worker = new Worker(code, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 64 } })
  expect(await once(worker, 'exit')).toEqual([0])
})

it("a limited part of a page's styles is read", () => {
  expect(urlsOf(`<style>${'p{}'.repeat(1_400_000)}p{mask:url(late)}`)).toEqual([])
  const many = Array.from({ length: 10_001 }, (_, at) => `p{mask:url(${at})}`).join('')
  expect(styleSheetAssets(many)).toHaveLength(10_000)
  expect(urlsOf(`<p style="mask:url(${'x'.repeat(70_000)})">`)).toEqual([])
})
