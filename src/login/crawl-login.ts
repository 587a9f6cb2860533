import type { LoginForm } from '../config/login-file.ts'
import type { LoginCounts, LostPage } from './login-counts.ts'
import { LoginPages } from './login-pages.ts'

/** The login of a crawl, and counts of its failures. */
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

  /** The counts; undefined if the session was never lost. */
  get counts(): LoginCounts | undefined {
    if (this.#renewals === 0 && this.#lost === 0) return undefined
    const first = this.#first
    return { renewals: this.#renewals, lost: this.#lost, ...(first !== undefined && { first }) }
  }

  /** @param formUrls the URLs that the login found */
  setPages(formUrls: readonly string[]): void {
    this.#pages = new LoginPages(formUrls)
  }

  countRenewal(): void {
    this.#renewals++
  }

  countLost(page: LostPage): void {
    this.#lost++
    this.#first ??= page
  }
}
