import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { seededRandom } from '../../test/support/random.ts'
import type { SiteFiles } from './site.ts'

/**
 * A site with the proportions of the web: sizes are log-normal, counts of links follow a power law, few pages get most
 * of the links, and every page has the same navigation. The same number of pages always results in the same bytes.
 */
const SECTIONS = 50
const MEDIAN_TEXT_BYTES = 15_000
const MAX_TEXT_BYTES = 500_000
const LEAST_LINKS = 10
const MAX_LINKS = 2_000
/** Exponent of the power law of link counts. The larger it is, the fewer pages have many links. */
const LINK_EXPONENT = 1.4
const SEED = 7

const WORDS =
  'orb web silk thread hub spoke frame bridge anchor spiral radius dew moth night'.split(' ')

/** Writes the site below a folder, unless it already exists. */
export function generateSite(folder: string, pages: number): SiteFiles {
  const root = join(folder, `generated-${pages}`)
  if (!existsSync(root)) {
    rmSync(`${root}.part`, { recursive: true, force: true })
    writePages(`${root}.part`, pages)
    renameSync(`${root}.part`, root)
  }
  return { name: 'generated', root, seed: pathOf(0) }
}

function writePages(root: string, pages: number): void {
  const random = seededRandom(SEED)
  const navigation = Array.from({ length: SECTIONS }, (_, section) =>
    item(section, `..${pathOf(section)}`),
  )
  for (let page = 0; page < pages; page++) {
    const file = join(root, pathOf(page))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, html(page, pages, navigation.join('\n'), random))
  }
}

function pathOf(page: number): string {
  return `/section-${page % SECTIONS}/page-${page}.html`
}

function item(page: number, href: string): string {
  return `<li class="item"><a class="reference internal" href="${href}">Page ${page}</a></li>`
}

function hrefOf(from: number, to: number): string {
  return from % SECTIONS === to % SECTIONS ? `page-${to}.html` : `..${pathOf(to)}`
}

/** Returns the next page, so that each page can be reached, and random other pages, mostly with small numbers. */
function linksOf(page: number, pages: number, random: () => number): number[] {
  const count = Math.floor(LEAST_LINKS * (1 - random()) ** (-1 / LINK_EXPONENT))
  const others = Array.from({ length: Math.min(count, MAX_LINKS) }, () =>
    Math.floor(pages * random() ** 2),
  )
  return [(page + 1) % pages, ...others]
}

/** Returns paragraphs, in which some words have markup. */
function textOf(random: () => number): string[] {
  const bytes = Math.min(MEDIAN_TEXT_BYTES * Math.exp(normal(random)), MAX_TEXT_BYTES)
  const paragraphs: string[] = []
  for (let written = 0; written < bytes; ) {
    const words = Array.from({ length: 60 }, () => {
      const word = WORDS[Math.floor(random() * WORDS.length)] ?? ''
      return random() < 0.05 ? `<span class="term">${word}</span>` : word
    })
    const paragraph = words.join(' ')
    paragraphs.push(paragraph)
    written += paragraph.length
  }
  return paragraphs
}

/** Returns a normally distributed number (Box-Muller transform) with mean 0 and standard deviation 1. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function html(page: number, pages: number, navigation: string, random: () => number): string {
  const links = linksOf(page, pages, random).map((to) => item(to, hrefOf(page, to)))
  const paragraphs = textOf(random)
  const perParagraph = Math.ceil(links.length / paragraphs.length)
  const body = paragraphs.map((text, place) => {
    const here = links.slice(place * perParagraph, (place + 1) * perParagraph)
    return `<p id="p${place}">${text}</p>\n<ul>${here.join('\n')}</ul>`
  })
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title>
<link rel="stylesheet" href="/style.css"><script>var page = "<a href='not-a-link'>";</script></head>
<body><nav><ul>${navigation}</ul></nav>
<main><h1>Page ${page}</h1>
${body.join('\n')}
</main><footer><!-- the end --></footer></body></html>
`
}
