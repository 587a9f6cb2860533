import { detachedCopy } from '../../encoding/detached-copy.ts'
import { decodePage } from '../../html/charset/decode-page.ts'
import { MAX_LINK_CHARACTERS } from '../../html/link-limits.ts'
import { scanPage } from '../../html/reference-scanner/scan-page.ts'
import type { LoadedAsset } from '../../html/style-sheet/page-styles.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { LinkGraph, PageLinks } from '../../records/visit-attachments.ts'
import { CanonicalRules } from '../../url/canonical-rules.ts'
import { fragmentOf } from '../../url/fragment.ts'
import { LinkResolver, type ResolverOptions } from '../../url/resolve.ts'
import type { Link } from './link-filter.ts'

/** Links as written in a page, found by either scanner. */
export interface WrittenLinks extends Iterable<TextLink> {
  readonly length: number
  /** Returns the links with their texts. */
  shown(): Iterable<TextLink>
}

/** All links of a page, as they were found. */
interface LinkSources {
  /** Canonical URL of the page. */
  readonly from: string
  readonly base: ResolverOptions & { readonly encoding: string }
  readonly inPage: WrittenLinks
  readonly assets: readonly string[]
  /** The files that the styles of the page load; undefined without `--assets`. */
  readonly styled: readonly LoadedAsset[] | undefined
  readonly inHeader: readonly Link[]
  readonly body: Buffer
  /** True if the body was cut, so that the rest of the page is unknown. */
  readonly truncated: boolean
}

/** An href, and the text of its link. */
interface TextLink {
  readonly href: string
  readonly text?: string
}

/** Collects the targets of a sitemap's entries. */
export interface SitemapTargets {
  add(links: readonly TextLink[]): void
  end(): PageLinks
}

/** Maximum number of images of a page that are distinguished from other links. */
const MAX_IMAGES = 100_000
/** Maximum number of characters that are kept of an invalid link. */
const MAX_INVALID = 2_000

/** Resolves all links of pages for the outputs of the link graph, followed or not. */
export class LinkGraphEdges {
  /** True if the texts of links are collected. */
  readonly keepsTexts: boolean
  readonly #rules: CanonicalRules

  private constructor(rules: CanonicalRules, linkGraph: LinkGraph) {
    this.#rules = rules
    this.keepsTexts = linkGraph === 'texts'
  }

  /** Returns undefined if no output needs link targets. */
  static open({ linkGraph, canonicalize, stripQuery }: WorkerSetup): LinkGraphEdges | undefined {
    return linkGraph && new LinkGraphEdges(new CanonicalRules(canonicalize, stripQuery), linkGraph)
  }

  async ofPage(sources: LinkSources): Promise<PageLinks> {
    const { from, base, inPage, assets, inHeader, body, truncated } = sources
    const resolver = new LinkResolver(from, base)
    const targets = this.#newTargets()
    targets.add(this.keepsTexts ? inPage.shown() : inPage, resolver)
    targets.add(asLinks(assets), resolver)
    targets.add(inHeader, new LinkResolver(from))
    const links = targets.linksOf(from)
    if (this.keepsTexts) return links
    const images = this.#imagesOf(sources, resolver)
    if (truncated) return { ...links, images }
    // Loaded when it is first needed, since few crawls check fragments.
    const { fragmentIdsOf } = await import('./fragment-ids.ts')
    return { ...links, images, anchors: fragmentIdsOf(decodePage(body, base.encoding)) }
  }

  /** Resolves the URLs that a style sheet loads. */
  ofStyleSheet(from: string, assets: readonly LoadedAsset[]): PageLinks {
    const resolver = new LinkResolver(from)
    const targets = this.#newTargets()
    targets.add(asLinks(assets.map(({ url }) => url)), resolver)
    const links = targets.linksOf(from)
    if (this.keepsTexts) return links
    return { ...links, images: this.#imageTargets(imagesAmong(assets), resolver) }
  }

  /** Resolves the links of a sitemap, which is read in pieces. */
  ofSitemap(from: string): SitemapTargets {
    const resolver = new LinkResolver(from)
    const targets = this.#newTargets()
    return {
      add: (links) => targets.add(links, resolver),
      end: () => targets.linksOf(from),
    }
  }

  #imagesOf({ assets, styled, body, base }: LinkSources, resolver: LinkResolver): string[] {
    if (styled === undefined || assets.length === 0) return []
    const { page } = scanPage(body, base.encoding, { maxLinks: MAX_IMAGES, assets: 'images' })
    return this.#imageTargets([...page.assets, ...imagesAmong(styled)], resolver)
  }

  #imageTargets(hrefs: readonly string[], resolver: LinkResolver): string[] {
    const targets = this.#newTargets()
    targets.add(asLinks(hrefs), resolver)
    return targets.all
  }

  #newTargets(): LinkGraphTargets {
    return new LinkGraphTargets(this.#rules, this.keepsTexts)
  }
}

/** Collects the targets of links, each once, up to the maximum number of characters. */
class LinkGraphTargets {
  readonly #rules: CanonicalRules
  readonly #keepsTexts: boolean
  /** The text of a link by its target. */
  readonly #to = new Map<string, string>()
  readonly #invalid = new Set<string>()
  #left = MAX_LINK_CHARACTERS

  constructor(rules: CanonicalRules, keepsTexts: boolean) {
    this.#rules = rules
    this.#keepsTexts = keepsTexts
  }

  add(links: Iterable<TextLink>, resolver: LinkResolver): void {
    for (const { href, text = '' } of links) {
      if (this.#left <= 0) return
      const url = resolver.resolve(href)
      this.#left -= (url ?? href).length + text.length
      if (url !== undefined) {
        const target = this.#rules.apply(url) + fragmentOf(href)
        // Of several links to the same target, the first one with a text counts.
        this.#to.set(target, this.#to.get(target) || text)
      } else if (resolver.failureReason(href) === 'invalid-url') {
        this.#invalid.add(detachedCopy(href.slice(0, MAX_INVALID)))
      }
    }
  }

  /** Valid and invalid targets. */
  get all(): string[] {
    return [...this.#to.keys(), ...this.#invalid]
  }

  /** @param from URL of the page that contains the links */
  linksOf(from: string): PageLinks {
    const links = { from, to: [...this.#to.keys()], invalid: [...this.#invalid] }
    return this.#keepsTexts ? { ...links, texts: [...this.#to.values()] } : links
  }
}

function asLinks(hrefs: readonly string[]): TextLink[] {
  return hrefs.map((href) => ({ href }))
}

function imagesAmong(assets: readonly LoadedAsset[]): string[] {
  return assets.filter(({ isImage }) => isImage).map(({ url }) => url)
}
