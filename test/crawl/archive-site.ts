import { pageOf, wordsOf } from './trap-sites.ts'

const POSTS = 270
/** A post comes about once a week, nine a month. Only the months before and after link to a month. */
const PER_MONTH = 9
const MONTHS = POSTS / PER_MONTH
const PER_LIST = 10
const LISTS = POSTS / PER_LIST
const PICTURES = 100

/** Number of pages of the archive. */
export const ARCHIVE_PAGES = 1 + POSTS + MONTHS + LISTS + PICTURES

/** Returns a page of a large site that resembles a trap in places, and is none: each page leads to content. */
export function archive(path: string): string {
  const at = Number(/(\d+)$/.exec(path)?.[1])
  if (path.startsWith('/post/')) return post(at)
  if (path.startsWith('/month/')) return month(path)
  if (path.startsWith('/list?')) return list(at)
  if (path.startsWith('/picture/')) return picture(at)
  return pageOf('Home', links('/list?page=0', monthPath(MONTHS - 1), '/picture/0'))
}

function links(...paths: readonly (string | undefined)[]): string {
  return paths.map((path) => (path ? `<a href="${path}">more</a>` : '')).join('\n')
}

function inside<T>(at: number, end: number, make: (at: number) => T): T | undefined {
  return at >= 0 && at < end ? make(at) : undefined
}

const postPath = (at: number) => `/post/${at}`
const monthPath = (at: number) => `/month/${2_000 + Math.floor(at / 12)}/${1 + (at % 12)}`
const listPath = (at: number) => `/list?page=${at}`
const picturePath = (at: number) => `/picture/${at}`

function range(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => postPath(from + i))
}

function post(at: number): string {
  const further = [inside(at - 1, POSTS, postPath), inside(at + 1, POSTS, postPath)]
  const text = `<h1>${wordsOf(at, 3)}</h1><p>${wordsOf(`post ${at}`, 20)}</p>`
  return pageOf('A post', text + links(...further, monthPath(Math.floor(at / PER_MONTH))))
}

function month(path: string): string {
  const [, , year, number] = path.split('/')
  const at = (Number(year) - 2_000) * 12 + Number(number) - 1
  const further = [inside(at - 1, MONTHS, monthPath), inside(at + 1, MONTHS, monthPath)]
  const text = `<h1>All that we wrote in ${year}, month ${number}</h1>`
  return pageOf('A month', text + links(...further, ...range(at * PER_MONTH, PER_MONTH)))
}

function list(at: number): string {
  const next = inside(at + 1, LISTS, listPath)
  const text = `<h1>All that we wrote, page ${at}</h1>`
  return pageOf('All posts', text + links(next, ...range(at * PER_LIST, PER_LIST)))
}

/** Returns a page without words of its own. */
function picture(at: number): string {
  const next = inside(at + 1, PICTURES, picturePath)
  return pageOf('A picture', `<img src="/pictures/${at}.jpg">${links(next)}`)
}
