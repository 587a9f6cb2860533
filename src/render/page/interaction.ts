import type { RenderedLink } from '../rendered-page.ts'
import { type Harvest, harvestScript } from './page-scripts.ts'

/** Maximum number of times that a page is scrolled to its end. */
const MAX_SCROLLS = 20
/** Maximum number of steps of a window's height by which a page is scrolled. Beyond, it jumps to its end. */
const MAX_STEPS = 100
/** Maximum milliseconds that a page has to draw itself after a step. */
const DRAW_MS = 250
/** Maximum number of clicks on a page. */
const MAX_CLICKS = 30

/** A page in the browser. */
interface ShownPage {
  /** True if the time of the page is over. */
  readonly isOver: boolean
  /** Runs a script, and returns its value. */
  evaluate<T>(script: string): Promise<T | undefined>
  /** Has the browser draw the page at full rate. Pages behind others may be drawn once a second only. */
  bringToFront(): Promise<unknown>
  /** Resolves when the page is quiet again. */
  quiet(): Promise<void>
}

interface ScrollPosition {
  readonly height: number
  readonly isAtEnd: boolean
}

/**
 * Uses a page as a visitor would. Collects its links after each step, since one tab may hide the links of another.
 */
export class Interaction {
  readonly #page: ShownPage
  readonly #links = new Map<string, RenderedLink>()
  #steps = MAX_STEPS

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
      height = await this.#scrollToEnd()
      await this.#look()
      if (height === before && this.#links.size === known) break
    }
  }

  /** Clicks each button once, then those again that have shown new links, such as `Load more`. */
  async click(): Promise<void> {
    let hasMore = false
    for (let left = MAX_CLICKS; left > 0 && !this.#page.isOver; left--) {
      const known = this.#links.size
      const url = await this.#page.evaluate<string | null>(clickScript(hasMore))
      if (typeof url !== 'string') break
      await this.#look()
      hasMore = this.#links.size > known
      // The next button to click is on the page before this click.
      const hasLeft = await this.#page.evaluate<boolean>(returnScript(url))
      if (hasLeft === true) await this.#page.quiet()
    }
  }

  /** Scrolls as a visitor does, since parts of a page may exist only while they are visible. Returns its height. */
  async #scrollToEnd(): Promise<number | undefined> {
    for (;;) {
      await this.#page.bringToFront()
      const script = scrollScript(this.#steps > 0)
      const position = await this.#page.evaluate<ScrollPosition>(script)
      if (position === undefined || position.isAtEnd || this.#page.isOver) return position?.height
      this.#steps--
      await this.#collect()
    }
  }

  async #look(): Promise<void> {
    await this.#page.quiet()
    await this.#collect()
  }

  async #collect(): Promise<void> {
    const harvest = await this.#page.evaluate<Harvest>(harvestScript(undefined))
    for (const link of harvest?.links ?? []) this.#links.set(link.href, link)
  }
}

/**
 * Returns a script that scrolls the page, or else what the window shows in its middle, and waits until that is drawn.
 * @param isStep true to scroll by the height of the window, false to scroll to the end
 */
function scrollScript(isStep: boolean): string {
  return `(async () => {
    const whole = document.scrollingElement ?? document.documentElement
    const scrolls = (element) =>
      element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY)
    const inMiddle = () => document.elementsFromPoint(innerWidth / 2, innerHeight / 2).find(scrolls)
    const area = whole.scrollHeight > innerHeight ? whole : (inMiddle() ?? whole)
    const height = area === whole ? innerHeight : area.clientHeight
    const top = area.scrollTop
    area.scrollTo({ top: ${isStep} ? top + height : area.scrollHeight, behavior: 'instant' })
    await new Promise((resolve) => {
      setTimeout(resolve, ${DRAW_MS})
      requestAnimationFrame(() => requestAnimationFrame(resolve))
    })
    return { height: area.scrollHeight, isAtEnd: area.scrollTop + height >= area.scrollHeight - 1 || area.scrollTop <= top }
  })()`
}

/** Words of buttons whose actions can't be undone, or that end a session. */
const NEVER =
  'delete|remove|erase|discard|log.?(?:out|off)|sign.?(?:out|off)|unsubscribe|cancel|buy|pay|order|checkout|submit|send|publish|' +
  'löschen|entfernen|abmelden|kaufen|bestellen|senden|supprimer|déconnexion|acheter|envoyer|eliminar|borrar|cerrar sesión|comprar|enviar'

/** Elements that hide again what they have shown, if they are clicked twice. */
const TOGGLES =
  'summary, [role=tab], [role=treeitem], [aria-expanded], [aria-pressed], [aria-haspopup]'

/**
 * Returns a script that clicks the first button that was not clicked before, or else the first one that has shown
 * new links. The script returns the URL before the click; null if there is no button.
 * Buttons are identified by their text, and by their order among those with the same text, since frameworks recreate
 * the elements.
 * @param hasMore true if the last click has shown new links
 */
function clickScript(hasMore: boolean): string {
  return `(() => {
    const state = (self.clicks ??= { clicked: new Set(), again: new Set(), last: undefined })
    const { clicked, again } = state
    if (${hasMore}) again.add(state.last)
    const click = (button, key) => {
      const { href } = location
      state.last = key
      again.delete(key)
      button.click()
      return href
    }
    let repeat
    const counts = new Map()
    const buttons = 'button, summary, input[type=button], [role=button], [role=tab], [role=menuitem], [role=treeitem]'
    for (const button of document.querySelectorAll(buttons)) {
      const names = ['aria-label', 'title', 'value', 'name', 'id'].map((name) => button.getAttribute(name) ?? '')
      const text = [button.localName, (button.textContent ?? '').trim().slice(0, 200), ...names].join('|')
      const count = (counts.get(text) ?? 0) + 1
      counts.set(text, count)
      const key = count + text
      const isNew = !clicked.has(key)
      if (!isNew && (repeat || !again.has(key) || button.matches('${TOGGLES}'))) continue
      clicked.add(key)
      const submits = button.form && button.type !== 'button'
      const leaves = button.closest('a[href]:not([href="#"], [href^="javascript:"])')
      if (submits || leaves || button.disabled || button.closest('[aria-disabled=true]')) continue
      if (/${NEVER}/i.test(text) || !button.checkVisibility()) continue
      if (isNew) return click(button, key)
      repeat = () => click(button, key)
    }
    return repeat?.() ?? null
  })()`
}

/** Returns a script that goes back if the page has left a URL. The script returns false if the page has not left it. */
function returnScript(url: string): string {
  return `location.href !== ${JSON.stringify(url)} && navigation.canGoBack ? (history.back(), true) : false`
}
