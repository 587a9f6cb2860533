/** Text from servers as elements of the page. Nothing here is ever parsed as HTML. */

/** Maximum characters of a URL that are shown, and how many of them are its end. The title has the whole URL. */
const SHOWN = 160
const SHOWN_AT_END = 40

/** Creates a link for an http URL only; a `javascript:` URL becomes plain text. */
export function createLink(url: string): Node {
  if (!/^https?:\/\//.test(url) || url.endsWith('…')) return withUrl(createSpan('', 'url'), url)
  const link = withClass('a', 'url')
  link.href = url
  link.rel = 'noopener noreferrer'
  link.target = '_blank'
  return withUrl(link, url)
}

/** Appends a URL to an element, and allows line breaks after delimiters. */
function withUrl(element: HTMLElement, url: string): HTMLElement {
  const parts = shortened(url).split(/(?<=[/?&])(?!\/)/)
  element.append(...parts.flatMap((part) => [document.createElement('wbr'), part]))
  if (url.length > SHOWN) element.title = url
  return element
}

function shortened(url: string): string {
  if (url.length <= SHOWN) return url
  const start = url.slice(0, SHOWN - SHOWN_AT_END - 1)
  return `${start}…${url.slice(-SHOWN_AT_END)}`.toWellFormed()
}

/** Creates an empty element with a class. */
export function withClass<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  element.className = className
  return element
}

export function createSpan(text: string, className: string): HTMLElement {
  const span = withClass('span', className)
  span.textContent = text
  return span
}

export function createButton(text: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}
