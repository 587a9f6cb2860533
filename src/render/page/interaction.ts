import type { RenderedLink } from '../rendered-page.ts'
import { type Harvest, harvestScript } from './page-scripts.ts'

/** Maximum number of times that a page is scrolled to its end. */
const MAX_SCROLLS = 20
/** Maximum number of buttons of a page that are clicked. */
const MAX_CLICKS = 30

/** A page in the browser. */
interface ShownPage {
  /** True if the time of the page is over. */
  readonly isOver: boolean
  /** Runs a script, and returns its value. */
  evaluate<T>(script: string): Promise<T | undefined>
  /** Resolves when the page is quiet again. */
  quiet(): Promise<void>
}

/**
 * Uses a page as a visitor would. Collects its links after each step, since one tab may hide the links of another.
 */
export class Interaction {
  readonly #page: ShownPage
  readonly #links = new Map<string, RenderedLink>()

  constructor(page: ShownPage) {
    this.#page = page
  }

  /** The links that the page has shown. */
  get links(): readonly RenderedLink[] {
    return [...this.#links.values()]
  }

  /** Scrolls to the end of the page until neither its height nor its links change. */
  async scroll(): Promise<void> {
    let height: number | undefined
    for (let left = MAX_SCROLLS; left > 0 && !this.#page.isOver; left--) {
      const known = this.#links.size
      const before = height
      height = await this.#page.evaluate<number>(SCROLL)
      await this.#look()
      if (height === before && this.#links.size === known) break
    }
  }

  /** Clicks each button once. */
  async click(): Promise<void> {
    for (let left = MAX_CLICKS; left > 0 && !this.#page.isOver; left--) {
      const url = await this.#page.evaluate<string | null>(CLICK)
      if (typeof url !== 'string') break
      await this.#look()
      // The next button to click is on the page before this click.
      const hasLeft = await this.#page.evaluate<boolean>(returnScript(url))
      if (hasLeft === true) await this.#page.quiet()
    }
  }

  async #look(): Promise<void> {
    await this.#page.quiet()
    const harvest = await this.#page.evaluate<Harvest>(harvestScript(undefined))
    for (const link of harvest?.links ?? []) this.#links.set(link.href, link)
  }
}

/** Scrolls to the end, and returns the height of the page. */
const SCROLL = `(() => {
  const { scrollHeight } = document.scrollingElement ?? document.documentElement
  scrollTo(0, scrollHeight)
  return scrollHeight
})()`

/** Words of buttons whose actions can't be undone, or that end a session. */
const NEVER =
  'delete|remove|erase|discard|log.?(?:out|off)|sign.?(?:out|off)|unsubscribe|cancel|buy|pay|order|checkout|submit|send|publish|' +
  'löschen|entfernen|abmelden|kaufen|bestellen|senden|supprimer|déconnexion|acheter|envoyer|eliminar|borrar|cerrar sesión|comprar|enviar'

/**
 * Clicks the first button that was not clicked before. Returns the URL before the click; null if there is no button.
 * Buttons are identified by their text, and by their order among those with the same text, since frameworks recreate
 * the elements.
 */
const CLICK = `(() => {
  const clicked = (self.clicked ??= new Set())
  const counts = new Map()
  const buttons = 'button, summary, input[type=button], [role=button], [role=tab], [role=menuitem], [role=treeitem]'
  for (const button of document.querySelectorAll(buttons)) {
    const names = ['aria-label', 'title', 'value', 'name', 'id'].map((name) => button.getAttribute(name) ?? '')
    const text = [button.localName, (button.textContent ?? '').trim().slice(0, 200), ...names].join('|')
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    const key = count + text
    if (clicked.has(key)) continue
    clicked.add(key)
    const submits = button.form && button.type !== 'button'
    if (submits || button.disabled || button.closest('a[href], [aria-disabled=true]')) continue
    if (/${NEVER}/i.test(text) || !button.checkVisibility()) continue
    const { href } = location
    button.click()
    return href
  }
  return null
})()`

/** Returns a script that goes back if the page has left a URL. The script returns false if the page has not left it. */
function returnScript(url: string): string {
  return `location.href !== ${JSON.stringify(url)} && navigation.canGoBack ? (history.back(), true) : false`
}
