import type { LoginForm } from '../config/login-file.ts'
import { LoginPages } from './login-page-urls.ts'

/** A page that was led to the login page. */
interface LostPage {
  readonly url: string
  readonly redirectsTo: string
}

/** How often a crawl logged in again, and how many URLs it lost to the login page. */
export interface LoginCounts {
  /** Number of times that the crawl logged in again. */
  readonly renewals: number
  /** Number of URLs that were redirected to the login page, and not fetched again. */
  readonly lost: number
  /** The first of them. */
  readonly first?: LostPage
}

/** The login of a crawl. */
export class CrawlLogin {
  readonly form: LoginForm
  #pages: LoginPages
  #renewals = 0
  #lost = 0
  #first: LostPage | undefined

  constructor(form: LoginForm) {
    this.form = form
    this.#pages = new LoginPages([form.url, ...(form.action === undefined ? [] : [form.action])])
  }

  /** The pages of the form, which are not fetched again. */
  get pages(): LoginPages {
    return this.#pages
  }

  get renewals(): number {
    return this.#renewals
  }

  /** Undefined if the session was never lost. */
  get counts(): LoginCounts | undefined {
    if (this.#renewals === 0 && this.#lost === 0) return undefined
    const first = this.#first
    return { renewals: this.#renewals, lost: this.#lost, ...(first !== undefined && { first }) }
  }

  /** @param formUrls as the login found them */
  setPages(formUrls: readonly string[]): void {
    this.#pages = new LoginPages(formUrls)
  }

  renewed(): void {
    this.#renewals++
  }

  lost(page: LostPage): void {
    this.#lost++
    this.#first ??= page
  }
}
