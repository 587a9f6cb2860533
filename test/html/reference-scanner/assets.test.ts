import { describe, expect, it } from 'vitest'
import { hrefs, page } from './scanned.ts'

const assets = (html: string, maxLinks = 100) => page(html, { assets: true, maxLinks }).assets

describe('scan finds what a browser would load', () => {
  it.each([
    ['images', '<img src=1><IMG SRC="2"><img alt=x><image src=3>', '1', '2', '3'],
    [
      'images of several sizes',
      '<img src=1 srcset="2 1x, 3 2x"><img srcset=4>',
      '1',
      '2',
      '3',
      '4',
    ],
    [
      'sources',
      '<picture><source srcset="1, 2 2x"><img></picture><video><source src=3></video>',
      ...['1', '2', '3'],
    ],
    [
      'media',
      '<video src=1 poster=2></video><audio src=3><track src=4></audio>',
      ...['1', '2', '3', '4'],
    ],
    ['scripts', '<script src=1></script><script>"<img src=no>"</script><script src=2>', '1', '2'],
    ['plug-ins', '<embed src=1><object data=2></object>', '1', '2'],
    ['image buttons', '<input type=Image src=1><input src=no><input type=text src=no>', '1'],
    [
      'backgrounds',
      '<body background=1><table background=2><tr background=3><td background=4><p background=no>',
      ...['1', '2', '3', '4'],
    ],
    ['preloaded images', '<link rel=preload as=image href=1 imagesrcset="2 1x">', '1', '2'],
    [
      'images of SVG',
      '<svg><image href=1 /><image xlink:href=2 /><image href=3 xlink:href=no /><use href="4#x"/></svg>',
      ...['1', '2', '3', '4#x'],
    ],
    [
      'images in SVG',
      '<svg><foreignObject><img src=1></foreignObject></svg><svg><img src=2>',
      '1',
      '2',
    ],
    ['images inside noscript', '<noscript><img src=1></noscript>', '1'],
    ['URLs with references and letters', '<img src="?a&amp;é" srcset="&#98; 1x">', '?a&é', 'b'],
  ])('%s', (_, html, ...expected) => expect(assets(html)).toEqual(expected))

  it.each([
    ...['stylesheet', 'icon', 'shortcut ICON', 'apple-touch-icon', 'preload', 'modulepreload'],
    ...['manifest', 'alternate stylesheet', 'mask-icon', 'apple-touch-icon-precomposed'],
  ])('links of type "%s"', (rel) => {
    expect(assets(`<link rel="${rel}" href=1>`)).toEqual(['1'])
  })

  it.each([...['canonical', 'alternate', 'next', 'dns-prefetch', 'preconnect', 'stylesheets', '']])(
    'but no links of type "%s"',
    (rel) => {
      expect(assets(`<link rel="${rel}" href=1><link href=2>`)).toEqual([])
    },
  )

  it.each([
    ['an empty value', '<img src="" srcset=","><script src></script><svg><image href=""/></svg>'],
    ['a part of the page itself', '<svg><use href="#x"/><use xlink:href="#y"/></svg>'],
    [
      'a template',
      '<template><img src=no><script src=no></script><svg><image href=no></svg></template>',
    ],
    ['a comment or text', '<!-- <img src=no> --><title><img src=no></title>'],
    ['links of a page', '<a href=x><iframe src=x></iframe><map><area href=x></map>'],
    ['elements of SVG that load nothing', '<svg><a href=x></a><g href=x></g><source src=x></svg>'],
  ])('but not %s', (_, html) => expect(assets(html)).toEqual([]))

  it('only on request', () => {
    expect(page('<img src=1><link rel=icon href=2><script src=3></script>').assets).toEqual([])
  })

  it('in addition to the same links and head', () => {
    const html =
      '<title>t</title><link rel="icon canonical" href=1><img src=2><a href=3 rel=next>' +
      '<script src=4></script><svg><image href=5 /><a xlink:href=6 /></svg><iframe src=7></iframe>'
    const { assets: found, ...rest } = page(html, { assets: true })
    expect(found).toEqual(['1', '2', '4', '5'])
    expect({ ...rest, assets: [] }).toEqual(page(html))
    expect(hrefs(html)).toEqual(['3', '6', '7'])
  })

  it('up to the limit shared by links and assets', () => {
    const html = '<a href=1><img src=2 srcset="3, 4, 5"><a href=6>'
    const { assets: found, outlinks } = page(html, { assets: true, maxLinks: 3 })
    expect(found).toEqual(['2', '3'])
    expect([...outlinks].map(({ href }) => href)).toEqual(['1'])
    expect(assets(html, 0)).toEqual([])
  })
})

describe('scan finds images only', () => {
  const images = (html: string) => page(html, { assets: 'images', maxLinks: 100 }).assets

  it.each([
    [
      'pictures',
      '<img src=1 srcset=2><source srcset=3 src=no><video src=no poster=4>',
      '1',
      '2',
      '3',
      '4',
    ],
    ['icons', '<link rel="shortcut icon" href=1><link rel=stylesheet href=no>', '1'],
    [
      'preloaded images',
      '<link rel=preload as=Image href=1 imagesrcset="2 1x, 3 2x"><link rel=preload as=font href=no><link rel=stylesheet as=image href=no>',
      ...['1', '2', '3'],
    ],
    [
      'plug-ins of an image type, or without a type and with the name of an image',
      '<embed type=image/png src=1><object type="Image/SVG+xml" data=2></object><embed src="3.webp?a"><object data=4.JPG></object>',
      ...['1', '2', '3.webp?a', '4.JPG'],
    ],
    [
      'no other plug-ins',
      '<embed src=a><object data=a.pdf></object><embed type=text/html src=a.png>',
    ],
  ])('%s', (_, html, ...expected) => expect(images(html)).toEqual(expected))
})
