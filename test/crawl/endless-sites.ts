import { randomBytes } from 'node:crypto'
import { MONTHLY_CALENDAR, type Page, pageOf, TRAPS, withArticles, wordsOf } from './trap-sites.ts'

/** A site with a limited number of pages and an unlimited number of URLs. */
export interface EndlessSite {
  readonly name: string
  /** Path of its first page. */
  readonly entry: string
  readonly page: Page
  /** Number of its pages, without the articles. */
  readonly pages: number
  /** Returns the name of the page at a path. */
  pageAt(path: string): string
}

const SESSION_PAGES = 12

function link(path: string): string {
  return `<li><a href="${path}">more</a></li>`
}

function hexId(): string {
  return randomBytes(16).toString('hex')
}

let requests = 0

/**
 * Returns a site of twelve pages that link to each other, with a new session id in each link.
 * @param nameOf returns the path of a link for the number of its page and an id
 * @param says returns what a page shows besides its text
 */
function sessions(
  name: string,
  nameOf: (page: number, id: string) => string,
  says: () => string = () => '',
  newId: () => () => string = () => hexId,
): EndlessSite {
  const pageAt = (path: string) => /page(\d+)/.exec(path)?.[1] ?? 'none'
  const page: Page = (path) => {
    const at = Number(pageAt(path))
    const idOf = newId()
    const links = Array.from({ length: SESSION_PAGES }, (_, to) => link(nameOf(to, idOf())))
    const text = `<h1>${wordsOf(`page ${at}`, 3)}</h1><p>${wordsOf(at, 12)}</p>`
    return pageOf(`Page ${at}`, `${text}${says()}${links.join('')}`)
  }
  return { name, entry: nameOf(0, hexId()), page, pages: SESSION_PAGES, pageAt }
}

/** Returns a function that uses one id for all links of a response. */
function oneEach(): () => string {
  const id = hexId()
  return () => id
}

function showTime(): string {
  return `<p>It is ${new Date().toISOString()}</p><p>Made in ${(++requests % 97) / 1_000} seconds</p>`
}

/** Sites with a new session id in every link, in different places of the URL. */
export const SESSION_SITES: readonly EndlessSite[] = [
  sessions('?sid=', (page, id) => `/app/page${page}?sid=${id}`),
  sessions(
    ';jsessionid=',
    (page, id) => `/app/page${page};jsessionid=${id.toUpperCase()}.node1?a=1`,
  ),
  sessions('?PHPSESSID=', (page, id) => `/app/page${page}.php?lang=en&PHPSESSID=${id}`),
  sessions('?CFID=&CFTOKEN=', (page, id) => `/app/page${page}?CFID=${++requests}&CFTOKEN=${id}`),
  sessions('(S(...)) in the path', (page, id) => `/app/(S(${id.slice(0, 24)}))/page${page}.aspx`),
  sessions('an id in the path', (page, id) => `/app/${id}/page${page}`),
  sessions('?sid=, and a random number elsewhere', (page, id) => {
    return `/app/page${page}?sid=${id}&rnd=${hexId()}`
  }),
  sessions('an id in the path, and ;jsessionid=', (page, id) => {
    return `/app/${id}/page${page};jsessionid=${hexId()}`
  }),
  sessions('?sid= with numbers in a row', (page) => `/app/page${page}?sid=${1_000 + ++requests}`),
  sessions('?t= with the time', (page) => `/app/page${page}?t=${1_764_000_000 + ++requests}`),
  sessions('?ref= with a place on the page before', (page) => {
    return `/app/page${page}?ref=item-${++requests}`
  }),
  sessions(
    '?sid=, a new one for each response',
    (page, id) => `/app/page${page}?sid=${id}`,
    undefined,
    oneEach,
  ),
  sessions(
    '?sid= on pages that show the time',
    (page, id) => `/app/page${page}?sid=${id}`,
    showTime,
  ),
  sessions(
    '?PHPSESSID= on pages that show the time',
    (page, id) => `/app/page${page}?PHPSESSID=${id}`,
    showTime,
  ),
]

/** Returns a site whose pages are all the same, with the same relative links. */
function deepening(name: string, entry: string, ...hrefs: readonly string[]): EndlessSite {
  const body = `<p>Welcome to the directory of things</p>${hrefs.map(link).join('')}`
  const page: Page = () => pageOf('Directory', body)
  return { name, entry, page, pages: 1, pageAt: () => entry }
}

const PERMUTED = ['blog', 'img', 'shop']

/** Sites with relative links that repeat parts of the path, so that it gets longer and longer. */
export const DEEPENING_SITES: readonly EndlessSite[] = [
  deepening('a/', '/deep/a/', 'a/'),
  deepening('a/index.html', '/deep/index.html', 'a/index.html'),
  deepening('a/b/', '/deep/', 'a/b/'),
  {
    ...deepening('three names in any order', '/deep/', ...PERMUTED.map((name) => `${name}/`)),
    // Each name occurs once, in any order.
    pages: 16,
    pageAt: (path) => [...new Set(path.split('/'))].join('/'),
  },
  {
    ...deepening('pages that show their path', '/deep/a/'),
    page: (path) => pageOf(path, `<p>You are in ${path} now, of all places</p>${link('a/')}`),
  },
]

function fromTrap(name: string): EndlessSite {
  const [, , entry, page] = TRAPS.find(([each]) => each === name) ?? ['', '', '/', () => '']
  return { name, entry, page, pages: 1, pageAt: () => entry }
}

const FACETS = ['sort', 'color', 'size', 'brand', 'stock', 'view']

/** Returns one of ten lists of goods, for any choice of facets. */
function facets(path: string): string {
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1))
  const links = FACETS.flatMap((name) =>
    [0, 1, 2, 3, 4, 5].map((value) => {
      const next = new URLSearchParams(query)
      next.set(name, `${value}`)
      next.sort()
      return link(`/shop/list?${next}`.replaceAll('&', '&amp;'))
    }),
  )
  return pageOf('Goods', `<p>${wordsOf(`goods ${path.length % 10}`, 12)}</p>${links.join('')}`)
}

const COLUMNS = ['name', 'date', 'price', 'stars', 'size']

/** Returns a table sorted by several columns, in the order of the clicks. */
function sortOrders(path: string): string {
  const orders = new URLSearchParams(path.slice(path.indexOf('?') + 1)).getAll('by')
  const links = COLUMNS.map((column) =>
    link(`/table?${[column, ...orders].map((each) => `by=${each}`).join('&amp;')}`),
  )
  const rows = COLUMNS.map((column) => `<p>The ${column} of ${wordsOf(column, 6)}</p>`)
  return pageOf('Table', `${rows.join('')}${links.join('')}`)
}

function pagination(path: string): string {
  const at = Number(/page=(\d+)/.exec(path)?.[1])
  return pageOf(
    'Results',
    `<p>No results on page ${at} of the list.</p>${link(`/results?page=${at + 1}`)}`,
  )
}

function days(path: string): string {
  const [, view = 'day', date = ''] = path.split('/').slice(1)
  const at = Date.parse(date) / 86_400_000
  const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)
  const steps = { day: 1, week: 7, month: 30 }[view] ?? 1
  const further = [at - steps, at + steps].map((day) => link(`/agenda/${view}/${dateOf(day)}`))
  const views = ['day', 'week', 'month'].map((each) => link(`/agenda/${each}/${date}`))
  const text = `<p>Nothing is planned for this ${view}, the one of ${date}.</p>`
  return pageOf('Agenda', text + further.join('') + views.join(''))
}

/** Returns a page with links to log in and to register, which lead back to it afterwards. */
function login(path: string): string {
  const back = encodeURIComponent(path)
  const name = path.startsWith('/register') ? 'Register' : 'Log in'
  const links = ['login', 'register'].map((each) => link(`/${each}?next=${back}`))
  return pageOf(name, `<p>${name} to see what only readers see</p>${links.join('')}`)
}

/** Returns ten articles, and searches for other words. */
function search(path: string): string {
  const found = Array.from({ length: 10 }, (_, i) => link(`/articles/${i + 1}`))
  const further = [1, 2, 3, 4, 5].map((i) =>
    link(`/search?q=${wordsOf(`${path} ${i}`, 2).replace(' ', '+')}`),
  )
  return pageOf(
    'Search',
    `<p>Others searched for these words</p>${found.join('')}${further.join('')}`,
  )
}

/** Returns a list of links without texts of its own. */
function directory(path: string): string {
  const names = Array.from({ length: 12 }, (_, i) => wordsOf(`${path} ${i}`, 1))
  const links = names.map((name) => `<li><a href="/directory/${name}">${name}</a></li>`)
  return pageOf('Directory', links.join(''))
}

function maze(path: string): string {
  const links = [1, 2, 3, 4, 5].map((i) =>
    link(`/maze/${wordsOf(`${path} ${i}`, 2).replace(' ', '-')}`),
  )
  return pageOf(wordsOf(path, 2), `<p>${wordsOf(`text ${path}`, 20)}</p>${links.join('')}`)
}

const other = (name: string, entry: string, page: Page, pages = 1): EndlessSite => ({
  ...{ name, entry, page, pages },
  pageAt: () => entry,
})

/** Calendars, lists and mazes, whose URLs don't show that they are endless. */
export const OTHER_SITES: readonly EndlessSite[] = [
  other('a calendar', '/calendar/2026/11', MONTHLY_CALENDAR),
  other('an agenda by day, week and month', '/agenda/day/2026-11-22', days),
  other('a list that goes on after its end', '/results?page=1', pagination),
  {
    ...other('facets: six, with six values each', '/shop/list', facets, 10),
    pageAt: (path) => `${path.length % 10}`,
  },
  other('a table sorted by one column after another', '/table', sortOrders),
  fromTrap("a maze of pages that don't exist"),
  other('a login that returns to itself', '/login?next=%2F', login),
  other('searches that lead to searches', '/search?q=news', search),
  other('a maze of links with made-up names', '/directory/in', directory),
  other('a maze of made-up texts', '/maze/in', maze),
]

/** Returns the site with a number of articles next to it. */
export function besideArticles({ entry, page }: EndlessSite, articles: number): Page {
  return withArticles(articles, entry, page)
}
