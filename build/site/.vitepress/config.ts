import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Returns the sidebar: the headings of docs/README.md, each with the pages that it lists. */
function sidebar() {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const [, ...sections] = index.split(/^## /m)
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf('\n')),
    items: [...section.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].map(
      ([, text = '', path = '']) => ({
        text: text.charAt(0).toUpperCase() + text.slice(1),
        link: sitePath(join('/docs', path)),
      }),
    ),
  }))
}

function sitePath(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '') || './'
}

/** Returns the fragment of a heading in the form of GitHub, so that links work on both sites. */
function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns the target of a page's link on the site. Files that are no pages, and folders, link to the repository. */
function siteLink(href: string, page: string): string {
  if (/^([a-z]+:|#)/.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const target = join(dirname(page), path)
  if (isPage(target)) return sitePath(path) + (fragment === undefined ? '' : `#${fragment}`)
  if (!existsSync(join(root, target))) return href
  return `${homepage}/blob/main/${target}`
}

/** Pages outside of docs/ that the documentation links to. */
const OTHER_PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md']

function isPage(path: string): boolean {
  return OTHER_PAGES.includes(path) || (path.startsWith('docs/') && path.endsWith('.md'))
}

interface Token {
  readonly type: string
  readonly children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      push(
        name: string,
        rule: (state: { tokens: Token[]; env: { relativePath: string } }) => void,
      ): void
    }
  }
}

function adaptToTheSite(md: MarkdownIt): void {
  md.core.ruler.push('site', ({ tokens, env }) => {
    const page = env.relativePath.replace(/index\.md$/, 'README.md')
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      // Keeps Vue from reading braces in code as expressions.
      if (token.type === 'code_inline') token.attrSet('v-pre', '')
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null) token.attrSet('href', siteLink(href, page))
    }
  })
}

export default {
  title: 'orbweaver',
  description: 'A multi-threaded web crawler for the command line',
  srcDir: 'pages',
  rewrites: Object.fromEntries(
    ['', 'docs/', 'bench/'].map((folder) => [`${folder}README.md`, `${folder}index.md`]),
  ),
  outDir: 'dist',
  cacheDir: 'node_modules/.cache',
  markdown: { anchor: { slugify }, config: adaptToTheSite },
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/docs/tutorial' },
      { text: 'All pages', link: '/docs/' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
}
