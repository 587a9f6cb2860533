// The hooks of headings.mjs: each fetch worker imports this module.

/** @type {import('orbweaver').Hooks['onPage']} */
export function onPage({ html, data }) {
  return { words: html.split(/\s+/).length, first: data.headings[0] }
}

/** @type {import('orbweaver').Hooks['shouldFollow']} */
export function shouldFollow({ url }, page) {
  return !url.includes('/print/') && !page.html.includes('class="draft"')
}
