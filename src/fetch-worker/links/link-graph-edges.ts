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
interface SitemapTargets {
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
    const to = new Map<string, string>()
    const invalid = new Set<string>()
    const ofPage = new LinkResolver(from, base)
    this.#collect(this.keepsTexts ? inPage.shown() : inPage, ofPage, to, invalid)
    this.#collect(
      assets.map((href) => ({ href })),
      ofPage,
      to,
      invalid,
    )
    this.#collect(inHeader, new LinkResolver(from), to, invalid)
    const links = { from, to: [...to.keys()], invalid: [...invalid] }
    if (this.keepsTexts) return { ...links, texts: [...to.values()] }
    const images = this.#imagesOf(sources, ofPage)
    if (truncated) return { ...links, images }
    // Loaded when it is first needed, since few crawls check fragments.
    const { fragmentIdsOf } = await import('./fragment-ids.ts')
    return { ...links, images, anchors: fragmentIdsOf(decodePage(body, base.encoding)) }
  }

  /** Resolves the URLs that a style sheet loads. */
  ofStyleSheet(from: string, assets: readonly LoadedAsset[]): PageLinks {
    const resolver = new LinkResolver(from)
    const [all, images] = [assets, assets.filter(({ isImage }) => isImage)].map((some) =>
      this.#targetsOf(
        some.map(({ url: href }) => ({ href })),
        resolver,
      ),
    )
    const { to = [], invalid = [] } = all ?? {}
    const links = { from, to, invalid }
    if (this.keepsTexts) return { ...links, texts: to.map(() => '') }
    return { ...links, images: [...(images?.to ?? []), ...(images?.invalid ?? [])] }
  }

  #targetsOf(links: readonly TextLink[], resolver: LinkResolver) {
    const to = new Map<string, string>()
    const invalid = new Set<string>()
    this.#collect(links, resolver, to, invalid)
    return { to: [...to.keys()], invalid: [...invalid] }
  }

  #imagesOf({ assets, styled, body, base }: LinkSources, resolver: LinkResolver): string[] {
    if (styled === undefined || assets.length === 0) return []
    const { page } = scanPage(body, base.encoding, { maxLinks: MAX_IMAGES, assets: 'images' })
    const inStyles = styled.filter(({ isImage }) => isImage).map(({ url }) => url)
    const images = [...page.assets, ...inStyles].map((href) => ({ href }))
    const { to, invalid } = this.#targetsOf(images, resolver)
    return [...to, ...invalid]
  }

  /** Resolves the links of a sitemap, which is read in pieces. */
  ofSitemap(from: string): SitemapTargets {
    const to = new Map<string, string>()
    const invalid = new Set<string>()
    const resolver = new LinkResolver(from)
    let left = MAX_LINK_CHARACTERS
    return {
      add: (links) => {
        left = this.#collect(links, resolver, to, invalid, left)
      },
      end: () => {
        const named = { from, to: [...to.keys()], invalid: [...invalid] }
        return this.keepsTexts ? { ...named, texts: [...to.values()] } : named
      },
    }
  }

  /**
   * Resolves links, and adds them to `to` or `invalid`. Returns the number of characters that are left.
   * @param most maximum number of characters of URLs and texts
   */
  #collect(
    links: Iterable<TextLink>,
    resolver: LinkResolver,
    to: Map<string, string>,
    invalid: Set<string>,
    most = MAX_LINK_CHARACTERS,
  ): number {
    let left = most
    for (const { href, text = '' } of links) {
      if (left <= 0) break
      const url = resolver.resolve(href)
      left -= (url ?? href).length + text.length
      if (url !== undefined) {
        const target = this.#rules.explain(url).url + fragmentOf(href)
        // Of several links to the same target, the first one with a text counts.
        to.set(target, to.get(target) || text)
      } else if (resolver.failureReason(href) === 'invalid-url') {
        invalid.add(detachedCopy(href.slice(0, MAX_INVALID)))
      }
    }
    return left
  }
}
