import type { LoginForm } from '../config/login-file.ts'
import { CrawlerError, messageOf } from '../errors.ts'
import type { Fetcher, FetchResponse, PostedForm } from '../fetch/fetcher.ts'
import { locationOf } from '../fetch/redirect-location.ts'
import { decodePage } from '../html/charset/decode-page.ts'
import { scanPage } from '../html/reference-scanner/scan-page.ts'
import { MAX_PARSING_MS, parseWithinLimits } from '../page-data/parse-within-limits.ts'
import { shortened } from '../printable-text.ts'
import { originOf } from '../url/origin.ts'
import { LinkResolver } from '../url/resolve.ts'
import { fieldNames, findForm, textOf } from './find-form.ts'
import { encodeEntries } from './form-entries.ts'

/** Maximum bytes of a page that are read. */
const MAX_PAGE = 4 * 2 ** 20
const MAX_REDIRECTS = 10
/** Maximum characters of the names of fields in a message. */
const MAX_NAMES = 200
/** Statuses of redirects that repeat the request with its method and body (RFC 9110, 15.4). */
const REPEATING: ReadonlySet<number> = new Set([307, 308])

/** A page that was fetched during a login. */
interface DecodedPage {
  readonly url: string
  readonly status: number
  readonly html: string
  /** The WHATWG name of the encoding. */
  readonly charset: string
  /** The target of the response, if it is a redirect. */
  readonly redirectsTo: string | undefined
}

/** The first and the last page of a request and its redirects. */
interface Trail {
  readonly first: DecodedPage
  readonly last: DecodedPage
  /** Targets of redirects that were requested with GET. */
  readonly opened: readonly string[]
}

/** Returns the cookies that are sent to a URL, as values by name. */
export type CookiesFor = (url: string) => ReadonlyMap<string, string>

/**
 * Logs in with a form, as a browser would: fetches its page, sends its fields, including hidden ones, follows redirects
 * within the origin of the login, and checks that the login worked.
 * @param fetcher a fetcher that keeps cookies
 * @param isGuest true if requests before the login don't identify the user
 * @returns the URLs of the page with the form and of the form's target, which may begin a new session when requested
 * @throws CrawlerError('usage') saying why the login failed
 */
export async function logInByForm(
  login: LoginForm,
  fetcher: Fetcher,
  cookiesFor: CookiesFor,
  isGuest: boolean,
): Promise<readonly string[]> {
  try {
    const attempt = new LoginAttempt(login, fetcher, cookiesFor)
    if (isGuest) await attempt.refusePublicCheck()
    return await attempt.run()
  } catch (error) {
    const message = `the login at ${login.url} failed: ${messageOf(error)}`
    throw new CrawlerError('usage', message, { cause: error })
  }
}

/**
 * Returns whether the login is still valid, by its `check.url`; undefined without that URL, or if it can't be fetched.
 * @param fetcher a fetcher that keeps the cookies of the crawl
 */
export async function isLoggedIn(login: LoginForm, fetcher: Fetcher): Promise<boolean | undefined> {
  const { url, text } = login.check
  if (url === undefined) return undefined
  try {
    const page = await fetchPage(fetcher, url)
    return !isRefused(page) && contains(page, text)
  } catch {
    return undefined
  }
}

class LoginAttempt {
  readonly #login: LoginForm
  readonly #fetcher: Fetcher
  readonly #cookiesFor: CookiesFor

  constructor(login: LoginForm, fetcher: Fetcher, cookiesFor: CookiesFor) {
    this.#login = login
    this.#fetcher = fetcher
    this.#cookiesFor = cookiesFor
  }

  /** @throws Error if `check.url` and `check.text` are the only checks, and both pass before the login */
  async refusePublicCheck(): Promise<void> {
    const { url, text, cookie, status } = this.#login.check
    if (url === undefined || cookie !== undefined || status !== undefined) return
    // A page that fails for guests is a good check.
    const page = await fetchPage(this.#fetcher, url).catch(() => undefined)
    if (page === undefined || isRefused(page) || !contains(page, text)) return
    const holds =
      text === undefined ? 'opens without a login' : `contains \`${text}\` without a login`
    throw new Error(
      `${url} ${holds}, so check.url proves nothing: expected a page that only members can open`,
    )
  }

  /** @returns the URLs of the form, as `logInByForm` */
  async run(): Promise<readonly string[]> {
    const { last: page } = await this.#follow(this.#login.url)
    const { action, body } = this.#fillIn(page)
    const before = this.#cookieValues([this.#login.url, page.url, action])
    const answers = await this.#follow(action, { body, from: page.url })
    this.#checkStatus(answers.first)
    this.#checkCookie(before, [action, ...answers.opened, answers.last.url])
    this.#checkForm(answers.last)
    await this.#checkPage(answers.last)
    return this.#formUrls(page.url, action, answers)
  }

  /**
   * Returns the URLs of the form without those that are safe for members. If `check.url` opened after the login, its
   * own URL and those opened by redirects are safe.
   */
  #formUrls(page: string, action: string, { opened }: Trail): readonly string[] {
    const { url, check } = this.#login
    const safe = check.url === undefined ? [] : [check.url, ...opened]
    return [...new Set([url, page, action])].filter((each) => !safe.includes(each))
  }

  /** Returns the encoded fields of the form, and the URL to send them to. */
  #fillIn(page: DecodedPage): { readonly action: string; readonly body: string } {
    const { fields, form: selector, url } = this.#login
    const names = [...fields.keys()]
    const form = formIn(page, names, selector)
    const action = this.#login.action ?? form?.action
    if (form === undefined && (action === undefined || selector !== undefined)) {
      const kind = selector === undefined ? 'form' : `form \`${selector}\``
      const wanted = `${kind} with the fields ${names.join(', ')}`
      throw new Error(`${describe(page)} has no ${wanted}${otherFields(page)}`)
    }
    if (action === undefined) throw new Error('the action of its form is no http or https URL')
    if (originOf(action) !== originOf(url)) {
      throw new Error(`its form is sent to ${action}, another origin`)
    }
    if (this.#login.action === undefined && form?.isPosted !== true) {
      throw new Error(
        'its form is not sent with POST: expected `method=post`, or `action` with the URL that a script posts the fields to',
      )
    }
    const given = [...fields].map(([name, value]) => [name, value.reveal()] as const)
    const others = (form?.fields ?? []).filter(([name]) => !fields.has(name))
    return { action, body: encodeEntries([...others, ...given], form?.charset ?? page.charset) }
  }

  #checkStatus({ status }: DecodedPage): void {
    const { status: expected } = this.#login.check
    if (expected === undefined || status === expected) return
    throw new Error(`the answer to the form has the status ${status}, not ${expected}`)
  }

  /** @param urls the pages that the form led to; the cookie may be for some of them only */
  #checkCookie(before: readonly string[], urls: readonly string[]): void {
    const { cookie } = this.#login.check
    if (cookie === undefined) return
    const values = this.#cookieValues(urls)
    if (values.some((value) => !before.includes(value))) return
    const what = values.length === 0 ? 'no cookie' : 'no new cookie'
    throw new Error(`the site set ${what} named ${cookie}`)
  }

  /** Returns the values of the cookie that proves the login, as it is sent to these URLs. */
  #cookieValues(urls: readonly string[]): readonly string[] {
    const { cookie } = this.#login.check
    if (cookie === undefined) return []
    return urls.flatMap((url) => this.#cookiesFor(url).get(cookie) ?? [])
  }

  /** Checks that the last page doesn't show the form again, as sites do after a wrong password. */
  #checkForm(last: DecodedPage): void {
    const { fields, form, check } = this.#login
    if (check.text !== undefined || check.url !== undefined) return
    if (formIn(last, [...fields.keys()], form) === undefined) return
    throw new Error(`${describe(last)} shows the form again, so the login was not accepted`)
  }

  async #checkPage(last: DecodedPage): Promise<void> {
    const { text, url } = this.#login.check
    const page = url === undefined ? last : await fetchPage(this.#fetcher, url)
    if (url !== undefined && isRefused(page)) {
      throw new Error(`${describe(page)}, so the login was not accepted`)
    }
    if (contains(page, text)) return
    throw new Error(`${describe(page)} does not contain \`${text}\``)
  }

  /** Makes a request, and follows redirects within the origin of the login. */
  async #follow(url: string, form?: PostedForm): Promise<Trail> {
    const first = await fetchPage(this.#fetcher, url, form)
    let last = first
    let again = form
    const opened: string[] = []
    for (let redirects = 0; last.redirectsTo !== undefined; redirects++) {
      if (originOf(last.redirectsTo) !== originOf(this.#login.url)) {
        // After the form was sent, the login may redirect to the crawled site on another origin.
        if (form !== undefined) break
        throw new Error(`${describe(last)}, another origin`)
      }
      if (redirects === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`)
      if (!REPEATING.has(last.status)) again = undefined
      if (again === undefined) opened.push(last.redirectsTo)
      last = await fetchPage(this.#fetcher, last.redirectsTo, again)
    }
    return { first, last, opened }
  }
}

async function fetchPage(fetcher: Fetcher, url: string, form?: PostedForm): Promise<DecodedPage> {
  const request = { url, maxBody: MAX_PAGE, keepBody: true, ...(form !== undefined && { form }) }
  const response = await fetcher.get(request).catch((error) => {
    throw new Error(`${url} can't be fetched: ${messageOf(error)}`)
  })
  try {
    const redirectsTo = redirectTarget(url, response)
    return { url, status: response.status, ...textIn(response), redirectsTo }
  } finally {
    response.release()
  }
}

function isRefused({ redirectsTo, status }: DecodedPage): boolean {
  return redirectsTo !== undefined || status >= 300
}

/** Returns whether a page contains a text, if one is given. Differences in white space are ignored. */
function contains(page: DecodedPage, text: string | undefined): boolean {
  if (text === undefined) return true
  const words = (each: string) => each.replace(/\s+/g, ' ').trim()
  return words(read(page, textOf)).includes(words(text))
}

/** @throws CrawlerError('usage') if the selector is invalid */
function formIn(page: DecodedPage, names: readonly string[], selector: string | undefined) {
  return read(page, (html) => findForm(html, page.url, names, selector))
}

/** Returns a hint on a page without the form: the fields that it has instead, or that a script may build the form. */
function otherFields(page: DecodedPage): string {
  const names = read(page, fieldNames).join(', ')
  if (names !== '') return `; the fields of the page are ${shortened(names, MAX_NAMES)}`
  return /<script\b/i.test(page.html) ? '; if a script builds the form, give its `action`' : ''
}

/** Returns the result of reading a page. @throws Error if that takes too long, or the page is nested too deeply */
function read<T>({ url, html }: DecodedPage, reading: (html: string) => T): T {
  try {
    return parseWithinLimits(MAX_PARSING_MS, () => reading(html))
  } catch (error) {
    if (error instanceof CrawlerError) throw error
    throw new Error(`${url} can't be read: ${messageOf(error)}`)
  }
}

function textIn({ body, contentType }: FetchResponse): Pick<DecodedPage, 'html' | 'charset'> {
  if (body === undefined) return { html: '', charset: 'utf-8' }
  const { charset } = scanPage(body, contentType?.charset, { maxLinks: 0, agents: [] })
  return { html: decodePage(body, charset), charset }
}

function redirectTarget(url: string, response: FetchResponse): string | undefined {
  const location = locationOf(response)
  return location === undefined ? undefined : new LinkResolver(url).resolve(location)
}

/** Describes a page for a message: its URL, and its redirect or its error status. */
function describe({ url, status, redirectsTo }: DecodedPage): string {
  if (redirectsTo !== undefined) return `${url} redirects to ${redirectsTo}`
  return status >= 300 ? `${url} (status ${status})` : url
}
