/** What servers sent, as parts of the page. Nothing here is ever taken for HTML. */

/** Only what leads to a site is a link; a `javascript:` URL is a text like any other. */
export function linkOf(url: string): Node {
  if (!/^https?:\/\//.test(url) || url.endsWith('…')) return textOf(url, 'url')
  const link = document.createElement('a')
  link.href = url
  link.textContent = url
  link.className = 'url'
  link.rel = 'noopener noreferrer'
  link.target = '_blank'
  return link
}

export function textOf(text: string, className: string): HTMLElement {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}

export function buttonOf(text: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}
