import { formatCount } from '../../../english-text.ts'
import type { LinkingPage, LinkingPages } from '../embedded-rows.ts'
import { buttonOf, linkOf, textOf } from './elements.ts'

/** Number of pages shown at first. */
const AT_FIRST = 3

/**
 * Creates a list of the first pages, with a button that shows the others.
 * @param words the words of the search, in lower case; pages with one of them come first, so that hits are visible
 */
export function shownPages({ total, pages }: LinkingPages, words: readonly string[]): Node {
  const has = (page: LinkingPage) => words.some((word) => textsOf(page).includes(word))
  const sorted = [...pages.filter(has), ...pages.filter((page) => !has(page))]
  const whole = document.createElement('div')
  const list = document.createElement('ol')
  list.append(...sorted.slice(0, AT_FIRST).map(itemOf))
  const rest = restOf(total - pages.length)
  if (pages.length <= AT_FIRST) {
    whole.append(list, ...rest)
    return whole
  }
  const unfold = buttonOf(`and ${formatCount(total - AT_FIRST)} more`, () => {
    const added = sorted.slice(AT_FIRST).map(itemOf)
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
  return count > 0 ? [textOf(`and ${formatCount(count)} more, not in this report`, 'rest')] : []
}

function itemOf({ url, text, by = [] }: LinkingPage): HTMLElement {
  const item = document.createElement('li')
  item.append(linkOf(url))
  if (text !== undefined) item.append(' ', textOf(`“${text}”`, 'shows'))
  if (by.length === 0) return item
  const way = textOf('via ', 'way')
  for (const [at, redirect] of by.entries()) way.append(at === 0 ? '' : ' → ', linkOf(redirect))
  item.append(way)
  return item
}
