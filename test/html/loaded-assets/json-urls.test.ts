import { expect, it } from 'vitest'
import { importMapUrls, manifestImages } from '../../../src/html/loaded-assets/json-urls.ts'

it('the modules of an import map are found, but not its folders, names and digests', () => {
  const map = {
    imports: { a: '/a.js', 'b/': './b/', c: 'https://cdn.test/c.js', d: 'bare', e: null },
    scopes: { '/old/': { a: '../a.js' } },
    integrity: { '/a.js': 'sha384-x' },
  }
  expect(importMapUrls(JSON.stringify(map))).toEqual(['/a.js', 'https://cdn.test/c.js', '../a.js'])
})

it('the images of a web app manifest are found', () => {
  const manifest = {
    icons: [{ src: 'icon.png' }, { src: 'icon.svg', sizes: 'any' }, { sizes: '48x48' }, 'x', null],
    screenshots: [{ src: '/shot.png' }],
    shortcuts: [{ name: 'New', url: '/new', icons: [{ src: 'new.png' }] }, 7],
    start_url: '/start',
  }
  const images = ['icon.png', 'icon.svg', '/shot.png', 'new.png']
  expect(manifestImages(JSON.stringify(manifest))).toEqual(images)
})

it.each([
  '',
  'no JSON',
  'null',
  '7',
  '[]',
  '{"icons":{"48":"a.png"},"imports":[1],"scopes":"x"}',
  '['.repeat(9_000),
])('nothing is found in %j', (json) => {
  expect([...importMapUrls(json), ...manifestImages(json)]).toEqual([])
})
