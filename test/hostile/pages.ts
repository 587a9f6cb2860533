import type { Behaviour } from './behaviour.ts'
import { bytes, flood, head, page } from './send.ts'

const OK = { status: 200 } as const
const TRUNCATED = { status: 200, truncated: true } as const

const links = (count: number, hrefOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `<a href="${hrefOf(index)}">x</a>`).join('')

const nested = '<div><b><i><table><tr><td><svg><a>'
const CONTROLS = [
  '<title>\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\0\u202e</title>',
  ...['\0', 'a\0b', '\x1b[31m', '\x9b2J', 'a\nb', '%00', '%1b%5b2J', 'http://a\0b/', '//\x7f/'].map(
    (href) => `<a href="/leaf/${href}">x</a>`,
  ),
].join('')

/** Pages that are large, deep, or full of links. */
export const pages: readonly Behaviour[] = [
  [
    'page-of-120000-links',
    bytes(page(links(120_000, (i) => `/leaf/${i}`))),
    OK,
    { links: 100_000 },
  ],
  ['page-of-1-mb-of-links', bytes(page('<a href=/leaf>'.repeat(75_000))), OK, { links: 75_000 }],
  [
    'long-links',
    bytes(page(links(1_000, (i) => `/leaf/${i}/${'x'.repeat(7_900)}`))),
    OK,
    { links: 1_000 },
  ],
  [
    'longer-links',
    bytes(page(links(1_000, (i) => `/leaf/${i}/${'x'.repeat(8_100)}`))),
    OK,
    { discovered: 0 },
  ],
  ['one-endless-link', flood(`${head()}<a href="/leaf/`, 'x'.repeat(2 ** 20)), TRUNCATED],
  ['nested-tags', bytes(page(nested.repeat(300_000))), OK],
  ['unclosed-tags', bytes(page('<a '.repeat(500_000))), OK],
  ['attributes', bytes(page(`<a ${'x=y '.repeat(250_000)} href=/leaf/a>`)), OK],
  ['unclosed-comment', bytes(page('<!--'.repeat(250_000))), OK],
  ['controls-in-page', bytes(page(CONTROLS)), OK],
  ['unknown-charset', bytes(page('<meta charset="\x1b[2J">', 'X: y\r\n')), OK],
]
