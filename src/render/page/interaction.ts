import type { RenderedLink } from '../rendered-page.ts'
import { type Harvest, harvestScript } from './page-scripts.ts'

/** Times that a page is scrolled to its end. */
const MAX_SCROLLS = 20
/** Buttons of a page that are clicked. */
const MAX_CLICKS = 30

/** A page that is shown. */
interface ShownPage {
  /** True when its time is over. */
  readonly isOver: boolean
  /** Runs a script, and returns its value. */
  evaluate<T>(script: string): Promise<T | undefined>
  /** Resolves when the page is quiet again. */
  quiet(): Promise<void>
}

/** Uses a page as a visitor would, and collects its links after each step: a tab hides what another one shows. */
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

  /** Scrolls to the end of the page until nothing new comes. */
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
      // What is to be clicked next stands where this one stood.
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

/** Words of buttons that do what can't be undone, or end a session. */
const NEVER =
  'delete|remove|erase|discard|log.?(?:out|off)|sign.?(?:out|off)|unsubscribe|cancel|buy|pay|order|checkout|submit|send|publish|' +
  'löschen|entfernen|abmelden|kaufen|bestellen|senden|supprimer|déconnexion|acheter|envoyer|eliminar|borrar|cerrar sesión|comprar|enviar'

/**
 * Clicks the first button that was not clicked before, and returns the URL before that; null if there is none.
 * Buttons are told apart by what they show, and by their order among those that show the same: frameworks make them anew.
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

/** Goes back to a URL that a script has left. Returns false if it has not. */
function returnScript(url: string): string {
  return `location.href === ${JSON.stringify(url)} ? false : (history.back(), true)`
}
