import { createHash } from 'node:crypto'

/** Returns the whole page at a path. */
export type Page = (path: string) => string

/** Returns words that are different for each seed. */
export function wordsOf(seed: string | number, count: number): string {
  const digest = createHash('sha512').update(`${seed}`).digest('hex')
  const letters = digest.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
  return Array.from({ length: count }, (_, i) => letters.slice(5 * i, 5 * i + 5)).join(' ')
}

/** Returns a page like that of a content management system: header, navigation and footer are always the same. */
export function pageOf(title: string, body: string): string {
  return `<!doctype html><html><head><title>${title} - The Daily Web</title></head><body>
<header><img src="/logo.png" alt="The Daily Web"><p>News about spiders since 1871</p>
<nav><a href="/">Home</a></nav></header>
<main>${body}</main>
<footer><p>All rights reserved by the authors of the Daily Web</p>
<p>Printed on paper of old rags and some flax</p></footer></body></html>`
}

function linksTo(...paths: readonly string[]): string {
  return paths.map((path) => `<li><a href="${path}">more</a></li>`).join('\n')
}

function ids(path: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    createHash('md5').update(`${path} ${i}`).digest('hex').slice(0, 16),
  )
}

const MONTHS =
  'January February March April May June July August September October November December'

/** Returns a calendar without events. Each part of a year links to the parts before and after it. */
function calendarOf(parts: readonly string[]): Page {
  return (path) => {
    const [, , year, part] = path.split('/')
    const at = Number(year) * parts.length + Number(part) - 1
    const [before, after] = [at - 1, at + 1].map(
      (to) => `/calendar/${Math.floor(to / parts.length)}/${(to % parts.length) + 1}`,
    )
    const name = parts[at % parts.length] ?? ''
    const days = Array.from({ length: 30 }, (_, day) => `<td>${day + 1}</td>`).join('')
    const heading = `<h1>Calendar for ${name} ${year}</h1><table><tr>${days}</tr></table>`
    const note = `<p>There are no events in ${name} ${year}, sorry.</p>`
    return pageOf(`${name} ${year}`, heading + note + linksTo(before ?? '', after ?? ''))
  }
}

/** The fewer names a calendar has, the sooner they are recognized. */
export const MONTHLY_CALENDAR = calendarOf(MONTHS.split(' '))
const SEASONAL_CALENDAR = calendarOf(['Winter', 'Summer'])

/** Returns a page of a shop that gives each link an id of its own. */
function shopPage(number: number, links: readonly string[]): string {
  const says = `<h2>Item ${wordsOf(`item ${number}`, 4)}</h2><p>It is ${wordsOf(number, 12)}</p>`
  return pageOf('Shop', says + linksTo(...links))
}

const SHOP_PAGES = 4

/** Endless sites: name, pattern, first path, and pages. */
export const TRAPS: readonly [name: string, pattern: RegExp, entry: string, page: Page][] = [
  ['a calendar', /\/calendar\/#$/, '/calendar/2026/1', SEASONAL_CALENDAR],
  [
    'a path that deepens',
    /\/deep\/\.\.\.$/,
    '/deep/a/',
    () => pageOf('Deep', '<p>Welcome to the directory of things</p><a href="a/">in</a>'),
  ],
  [
    'session ids in the query',
    /\/shop\/p#\?sid$/,
    '/shop/p1?sid=0',
    (path) => {
      const page = Number(/p(\d+)/.exec(path)?.[1])
      const next = ids(path, 4).map((id, i) => `/shop/p${(page + 3 * i) % SHOP_PAGES}?sid=${id}`)
      return shopPage(page, next)
    },
  ],
  [
    'session ids in the path',
    /\/s\/(?:\*|:id)\/p#$/,
    '/s/0123abcd4567ef89/p1',
    (path) => {
      const page = Number(/p(\d+)$/.exec(path)?.[1])
      const next = ids(path, 4).map((id, i) => `/s/${id}/p${(page + 3 * i) % SHOP_PAGES}`)
      return shopPage(page, next)
    },
  ],
  [
    "a maze of pages that don't exist",
    /\/gone\/\*$/,
    '/gone/away',
    (path) => {
      const echo = `<h1>Oh no: ${path} was not found</h1><p>You may have mistyped ${path} here.</p>`
      const names = ids(path, 6).map((id) => `/gone/${wordsOf(id, 2).replace(' ', '-')}`)
      const links = names.map((name) => `<li><a href="${name}">${name.slice(6)}</a></li>`)
      return pageOf(`Not found: ${path}`, echo + links.join(''))
    },
  ],
]

/** Returns a finite site with another one: articles with a text of their own, found one after the other. */
export function withArticles(count: number, entry: string, other: Page): Page {
  return (path) => {
    if (path === '/') return pageOf('Home', linksTo(entry, '/articles/1'))
    if (!path.startsWith('/articles/')) return other(path)
    const at = Number(path.slice(10))
    const next = at < count ? linksTo(`/articles/${at + 1}`) : ''
    return pageOf('Article', `<h1>${wordsOf(at, 3)}</h1><p>${wordsOf(`text ${at}`, 20)}</p>${next}`)
  }
}
