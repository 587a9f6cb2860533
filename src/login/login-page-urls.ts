/** The start page of a site or a folder: by their query, many pages may share its path. */
const START_PAGE = /^\/$|\/(?:index|default)\.\w+$/i

interface PagePattern {
  /** The URL without its query. */
  readonly path: string
  readonly query: readonly string[]
}

/** Recognizes the pages of a login form, whatever parameters are added to their URLs. */
export class LoginPages {
  readonly urls: readonly string[]
  readonly #pages: readonly PagePattern[]

  /** @param urls canonical: of the page with the form, and where the form is sent */
  constructor(urls: readonly string[]) {
    this.urls = urls
    this.#pages = urls.filter((url) => !isStartPage(url)).map(pageOf)
  }

  /** Returns whether a canonical URL is such a page. */
  has(url: string): boolean {
    return this.#pages.some(({ path, query }) => {
      if (!url.startsWith(path)) return false
      const rest = url.slice(path.length)
      if (rest !== '' && !rest.startsWith('?')) return false
      const parameters = new Set(rest.slice(1).split('&'))
      return query.every((parameter) => parameters.has(parameter))
    })
  }
}

/** A form on the start page of a site keeps no page from being crawled: members need that page, too. */
function isStartPage(url: string): boolean {
  const { pathname, search } = new URL(url)
  return search === '' && START_PAGE.test(pathname)
}

function pageOf(url: string): PagePattern {
  const [path = '', query = ''] = url.split('?', 2)
  return { path, query: query.split('&').filter(Boolean) }
}
