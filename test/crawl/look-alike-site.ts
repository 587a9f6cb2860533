import { createHash } from 'node:crypto'
import { pageOf, wordsOf } from './trap-sites.ts'

/** Pages in each part of the site: more than are needed to recognize a session id. */
const PAGES = 45

interface Part {
  /** Paths of its pages, the first of which leads to the others. */
  readonly paths: readonly string[]
  /** Returns what a page shows, by its place among them. */
  says(at: number): string
  /** True if all pages link to all others; otherwise each links to the next. */
  readonly isDense?: boolean
}

function range(pathOf: (at: number) => string, count = PAGES): string[] {
  return Array.from({ length: count }, (_, at) => pathOf(at))
}

function hex(at: number): string {
  return createHash('md5').update(`${at}`).digest('hex')
}

const own = (name: string) => (at: number) => `<p>${wordsOf(`${name} ${at}`, 12)}</p>`
const numbers = (name: string) => (at: number) => `<p>The ${name} has measured ${at} degrees.</p>`
const nothing = (name: string) => () => `<p>There is nothing here about this ${name}.</p>`

/** Three levels of three directories each, named by numbers. */
const TREE = range(
  (at) => `/tree/${1 + (at % 3)}/${1 + (Math.floor(at / 3) % 3)}/${1 + Math.floor(at / 9)}/`,
  27,
)
const VERSIONS = range((at) => hex(1_000 + at), 3)

const PARTS: readonly Part[] = [
  { paths: range((at) => `/same/${'same/'.repeat(at)}`, 14), says: own('level') },
  { paths: range((at) => `/level/${'level/'.repeat(at)}`, 14), says: numbers('thermometer') },
  { paths: TREE, says: numbers('leaf') },
  { paths: range((at) => `/2026/01/${`${at}`.padStart(2, '0')}/01/`, 31), says: nothing('day') },
  { paths: range((at) => `/talk?sid=${hex(at)}`), says: own('talk') },
  { paths: range((at) => `/slides/${at % 9}?sid=${hex(at)}`), says: numbers('slide') },
  { paths: range((at) => `/station?sid=${at}`), says: numbers('station'), isDense: true },
  { paths: range((at) => `/sessions/${at % 4}?session=${at}`), says: numbers('session') },
  { paths: range((at) => `/item/${hex(at)}/`), says: nothing('item') },
  {
    paths: range((at) => `/photo/${hex(at)}`),
    says: (at) => `<img src="/pictures/${hex(at)}.jpg">`,
  },
  {
    paths: range((at) => `/docs/${VERSIONS[at % 3]}/page${Math.floor(at / 3)}.html`),
    says: (at) => own('page')(Math.floor(at / 3)),
    isDense: true,
  },
  {
    paths: range((at) => `/forum/${at}?PHPSESSID=${hex(1)}`),
    says: numbers('topic'),
    isDense: true,
  },
  { paths: range((at) => `/shop/${at};jsessionid=${hex(at % 2)}`), says: nothing('ware') },
]

/** All paths of the site. */
export const LOOK_ALIKE_PATHS: readonly string[] = ['/', ...PARTS.flatMap(({ paths }) => paths)]

const PAGES_BY_PATH: ReadonlyMap<string, string> = new Map([
  ['/', pageOf('Home', PARTS.map(({ paths }) => linkTo(paths[0])).join(''))],
  ...PARTS.flatMap((part) =>
    part.paths.map((path, at): [string, string] => [
      path,
      pageOf('Page', part.says(at) + links(part, at)),
    ]),
  ),
])

function links({ paths, isDense }: Part, at: number): string {
  return (isDense === true ? paths : paths.slice(at + 1, at + 2)).map(linkTo).join('')
}

function linkTo(path: string | undefined): string {
  return `<li><a href="${path}">more</a></li>`
}

/** Returns a page of a finite site whose URLs contain session ids and repeat themselves. No two pages are the same. */
export function lookAlike(path: string): string {
  return PAGES_BY_PATH.get(path) ?? ''
}
