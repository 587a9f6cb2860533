/** Paths of start pages of a site or a folder. Many pages may share such a path, and differ only in their query. */
const START_PAGE = /^\/$|\/(?:index|default)\.\w+$/i

interface PagePattern {
  /** The URL without its query and the parameters of its path. */
  readonly path: string
  readonly query: readonly string[]
}

/** Recognizes the pages of a login form, even if parameters are added to their URLs. */
export class LoginPages {
  readonly urls: readonly string[]
  readonly #pages: readonly PagePattern[]

  /** @param urls canonical URLs of the page with the form and of the form's target */
  constructor(urls: readonly string[]) {
    this.urls = urls
    this.#pages = urls.filter((url) => !isStartPage(url)).map(pageOf)
  }

  /** Returns whether a canonical URL is a page of the login form. */
  has(url: string): boolean {
    return this.#pages.some(({ path, query }) => {
      if (!url.startsWith(path)) return false
      const other = pageOf(url)
      return other.path === path && query.every((parameter) => other.query.includes(parameter))
    })
  }
}

/** Returns whether a URL is a start page. It is crawled even if it has the login form, since members need it, too. */
function isStartPage(url: string): boolean {
  const { pathname, search } = new URL(url)
  return search === '' && START_PAGE.test(withoutParameters(pathname))
}

function pageOf(url: string): PagePattern {
  const [, path = '', query = ''] = /^([^?]*)\??(.*)/.exec(url) ?? []
  return { path: withoutParameters(path), query: query.split('&').filter(Boolean) }
}

/** Removes the parameters of the last segment of a path, such as `;jsessionid=1F`. */
function withoutParameters(path: string): string {
  return path.replace(/;[^/]*$/, '')
}
