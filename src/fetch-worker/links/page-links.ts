import { decodePage } from '../../html/charset/decode-page.ts'
import type { Outlinks } from '../../html/scanner/outlinks.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { LinkGraph, PageLinks } from '../../records/delivery.ts'
import { CanonicalRules } from '../../url/canonical-rules.ts'
import { detachedCopy } from '../../url/copy.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import type { Link } from './link-filter.ts'

/** The links of a page, as it is read. */
interface ReadLinks {
  /** Canonical URL of the page. */
  readonly from: string
  readonly base: ResolverOptions & { readonly encoding: string }
  readonly inPage: Outlinks
  readonly assets: readonly Link[]
  readonly inHeader: readonly Link[]
  readonly body: Buffer
  /** Nobody knows what else the page has. */
  readonly truncated: boolean
}

/** What tells where a link leads, and what it shows. */
interface NamedLink {
  readonly href: string
  readonly text?: string
}

/** Where the lines of a sitemap lead, as they are read. */
interface LinkedList {
  add(links: readonly NamedLink[]): void
  end(): PageLinks
}

/** Characters of what the links of a page name and show, and of a link that is no URL. */
const MAX_CHARACTERS = 2 ** 24
const MAX_SHOWN = 2_000

/** Tells outputs where the links of a page lead, whatever becomes of them. */
export class PageLinker {
  /** Whether what links show is to be kept for `of`. */
  readonly wantsTexts: boolean
  readonly #rules: CanonicalRules

  private constructor(canonicalize: WorkerSetup['canonicalize'], linkGraph: LinkGraph) {
    this.#rules = new CanonicalRules(canonicalize)
    this.wantsTexts = linkGraph === 'texts'
  }

  /** Undefined where nobody asks. */
  static open({ linkGraph, canonicalize }: WorkerSetup): PageLinker | undefined {
    return linkGraph && new PageLinker(canonicalize, linkGraph)
  }

  async of({
    from,
    base,
    inPage,
    assets,
    inHeader,
    body,
    truncated,
  }: ReadLinks): Promise<PageLinks> {
    const to = new Map<string, string>()
    const invalid = new Set<string>()
    const ofPage = new LinkResolver(from, base)
    this.#name(this.wantsTexts ? inPage.shown() : inPage, ofPage, to, invalid)
    this.#name(assets, ofPage, to, invalid)
    this.#name(inHeader, new LinkResolver(from), to, invalid)
    const links = { from, to: [...to.keys()], invalid: [...invalid] }
    if (this.wantsTexts) return { ...links, texts: [...to.values()] }
    if (truncated) return links
    // Loaded on the first need, as few crawls have one.
    const { anchorsOf } = await import('./anchors.ts')
    return { ...links, anchors: anchorsOf(decodePage(body, base.encoding)) }
  }

  /** The same for a sitemap, whose links come in pieces. */
  listOf(from: string): LinkedList {
    const to = new Map<string, string>()
    const invalid = new Set<string>()
    const resolver = new LinkResolver(from)
    let room = MAX_CHARACTERS
    return {
      add: (links) => {
        room = this.#name(links, resolver, to, invalid, room)
      },
      end: () => {
        const named = { from, to: [...to.keys()], invalid: [...invalid] }
        return this.wantsTexts ? { ...named, texts: [...to.values()] } : named
      },
    }
  }

  #name(
    links: Iterable<NamedLink>,
    resolver: LinkResolver,
    to: Map<string, string>,
    invalid: Set<string>,
    most = MAX_CHARACTERS,
  ): number {
    let room = most
    for (const { href, text = '' } of links) {
      if (room <= 0) break
      const url = resolver.resolve(href)
      room -= (url ?? href).length + text.length
      if (url !== undefined) {
        const target = this.#rules.explain(url).url + fragmentOf(href)
        // Of several links the first one that shows something.
        to.set(target, to.get(target) || text)
      } else if (resolver.whyNot(href) === 'invalid-url') {
        invalid.add(detachedCopy(href.slice(0, MAX_SHOWN)))
      }
    }
    return room
  }
}

/** With its `#`, percent-encoded as browsers do; empty where there is none. */
function fragmentOf(href: string): string {
  const at = href.indexOf('#')
  const url = at < 0 ? null : URL.parse(href.slice(at), 'http://a/')
  return url?.hash ?? ''
}
