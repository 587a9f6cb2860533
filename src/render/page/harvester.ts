import { withoutFragment } from '../../url/fragment.ts'
import { withDeadline } from '../browser/with-deadline.ts'
import type { RenderSettings } from '../render-options.ts'
import { type RenderedLink, RenderFailure } from '../rendered-page.ts'
import type { FrameTree } from './frame-tree.ts'
import { type Harvest, harvestScript } from './page-scripts.ts'

/** Least limit of the milliseconds for collecting the tree, or the links of frames. */
const MIN_HARVEST_MS = 5_000

/** Collects the tree of a page, and the links of its frames. */
export class Harvester {
  /** Maximum milliseconds for collecting the tree, or the links of frames, which takes longer on a busy machine. */
  readonly limit: number
  readonly #frames: FrameTree
  readonly #maxHtml: number

  constructor(
    frames: FrameTree,
    { maxHtml, timeout }: Pick<RenderSettings, 'maxHtml' | 'timeout'>,
  ) {
    this.limit = Math.max(MIN_HARVEST_MS, timeout)
    this.#frames = frames
    this.#maxHtml = maxHtml
  }

  /**
   * Returns the tree of the main frame as HTML, and the links in its shadow roots.
   * @param url URL of the page, to which relative links in the HTML lead even if a script has changed it
   * @throws RenderFailure, or ProtocolError
   */
  async tree(mainFrame: string, url: string): Promise<Required<Omit<Harvest, 'url'>>> {
    const script = harvestScript(this.#maxHtml)
    const evaluate = () => this.#frames.evaluate<Harvest>(mainFrame, script)
    // Tries twice, since terminating a script of the page may abort the first attempt, too.
    const harvest = await withDeadline(this.limit, evaluate().catch(evaluate))
    if (harvest?.html === undefined) {
      throw new RenderFailure('the tree of the page could not be read')
    }
    // It shows about:blank, for example, or an error of the browser.
    if (!/^https?:/i.test(harvest.url)) throw new RenderFailure('the browser has left the page')
    return { html: withBase(harvest.html, harvest.url, url), links: harvest.links }
  }

  /** Returns the links of all frames but the main one. Frames that don't answer in time have none. */
  async frameLinks(mainFrame: string): Promise<RenderedLink[]> {
    const script = harvestScript(undefined)
    const frames = this.#frames.ids.filter((id) => id !== mainFrame)
    const harvest = (id: string) =>
      withDeadline(this.limit, this.#frames.evaluate<Harvest>(id, script)).catch(() => undefined)
    const harvests = await Promise.all(frames.map(harvest))
    return harvests.flatMap((each) => each?.links ?? [])
  }
}

/** Adds a base to a page whose URL a script has changed, since its relative links are resolved against the new URL. */
function withBase(html: string, now: string, url: string): string {
  // A `<` ends a tag, too. Otherwise many unclosed tags would each be searched to the end of the page, for hours.
  if (withoutFragment(now) === withoutFragment(url) || /<base\s[^<>]*href/i.test(html)) return html
  const base = `<base href="${now.replaceAll('&', '&amp;').replaceAll('"', '%22')}">`
  return html.replace(/<head[^<>]*>/i, (head) => `${head}${base}`)
}
