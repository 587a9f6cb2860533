import { formatCount } from '../../../english-text.ts'
import type { LinkingPage, LinkingPages } from '../embedded-rows.ts'
import { createButton, createLink, createSpan } from './elements.ts'

/** Number of pages shown at first. */
const AT_FIRST = 3

/**
 * Creates a list of the first pages, with a button that shows the others.
 * @param words the words of the search, in lower case; pages with one of them come first, so that hits are visible
 */
export function createPageList({ total, pages }: LinkingPages, words: readonly string[]): Node {
  const has = (page: LinkingPage) => words.some((word) => textsOf(page).includes(word))
  const sorted = [...pages.filter(has), ...pages.filter((page) => !has(page))]
  const whole = document.createElement('div')
  const list = document.createElement('ol')
  list.append(...sorted.slice(0, AT_FIRST).map(createItem))
  const rest = restOf(total - pages.length)
  if (pages.length <= AT_FIRST) {
    whole.append(list, ...rest)
    return whole
  }
  const unfold = createButton(`and ${formatCount(total - AT_FIRST)} more`, () => {
    const added = sorted.slice(AT_FIRST).map(createItem)
    list.append(...added)
    unfold.replaceWith(...rest)
    added[0]?.querySelector('a')?.focus()
  })
  unfold.className = 'more'
  whole.append(list, unfold)
  return whole
}

/** Returns all texts of a page in lower case. */
export function textsOf({ url, text = '', by = [] }: LinkingPage): string {
  return [url, text, ...by].join(' ').toLowerCase()
}

function restOf(count: number): Node[] {
  return count > 0 ? [createSpan(`and ${formatCount(count)} more, not in this report`, 'rest')] : []
}

function createItem({ url, text, by = [] }: LinkingPage): HTMLElement {
  const item = document.createElement('li')
  item.append(createLink(url))
  if (text !== undefined) item.append(' ', createSpan(`“${text}”`, 'shows'))
  if (by.length === 0) return item
  const way = createSpan('via ', 'way')
  for (const [at, redirect] of by.entries()) way.append(at === 0 ? '' : ' → ', createLink(redirect))
  item.append(way)
  return item
}
