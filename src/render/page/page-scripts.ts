import type { RenderedLink } from '../rendered-page.ts'

/** Maximum characters of the URLs of all links of a frame. */
const MAX_CHARACTERS = 2 ** 22
/** Maximum number of links of a frame. */
const MAX_LINKS = 20_000

/** The result of `harvestScript`. */
export interface Harvest {
  /** The links in open shadow roots; in a frame, all links. */
  readonly links: readonly RenderedLink[]
  /** The tree of the page itself. */
  readonly html?: string
  /** The current URL of the frame, which is the base of its relative links. */
  readonly url: string
}

/** Returns a script that resolves after `ms` milliseconds without a long task. On a busy page, it never resolves. */
export function quietScript(ms: number): string {
  return `new Promise((resolve) => {
    let timer
    const observer = new PerformanceObserver(() => wait())
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        observer.disconnect()
        requestIdleCallback(() => resolve(true), { timeout: 1000 })
      }, ${ms})
    }
    observer.observe({ type: 'longtask' })
    wait()
  })`
}

/**
 * Returns a script that collects the tree and the links of a page, as a `Harvest`.
 * @param maxHtml maximum characters of the tree; undefined in a frame, of which only the links are collected
 */
export function harvestScript(maxHtml: number | undefined): string {
  return `(() => {
    const links = []
    let left = ${MAX_CHARACTERS}
    const hrefOf = (element) => {
      const { href } = element
      if (typeof href === 'string') return href
      return href?.baseVal ? URL.parse(href.baseVal, element.baseURI)?.href : undefined
    }
    const add = (element) => {
      const href = hrefOf(element)
      if (!href || left < href.length || links.length >= ${MAX_LINKS}) return
      left -= href.length
      const rel = element.getAttribute('rel')
      links.push(rel ? { href, rel: rel.slice(0, 100) } : { href })
    }
    // The tree will be UTF-8, but the query of a link is in the encoding of the page.
    const isLegacy = document.characterSet !== 'UTF-8'
    const encodeQuery = (element) => {
      if (!isLegacy || !/\\?.*[^\\0-\\x7f]/s.test(element.getAttribute('href'))) return
      const href = hrefOf(element)
      if (href) element.setAttribute('href', href)
    }
    const walk = (root, takesLinks) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT)
      for (let element = walker.nextNode(); element; element = walker.nextNode()) {
        const isLink = element.localName === 'a' || element.localName === 'area'
        if (isLink) takesLinks ? add(element) : encodeQuery(element)
        if (element.shadowRoot) walk(element.shadowRoot, true)
      }
    }
    walk(document, ${maxHtml === undefined})
    const tree = document.documentElement
    const html = tree && ${maxHtml !== undefined}
      ? '<!DOCTYPE html>' + tree.outerHTML.slice(0, ${maxHtml ?? 0})
      : undefined
    return { links, html, url: location.href }
  })()`
}
