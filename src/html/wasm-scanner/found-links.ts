import { refreshUrl } from '../../url/refresh.ts'
import { linkText } from '../reference-scanner/link-text.ts'
import { type LinkKind, type Outlink, REFRESH } from '../reference-scanner/outlinks.ts'
import { pageBytesOf } from '../reference-scanner/page-bytes.ts'
import { LINK_KIND } from './layout/codes.ts'
import { LINK } from './layout/records.ts'
import type { LinkRecords } from './link-records.ts'

/** The tags and attributes of links, by `LINK_KIND`. */
const KINDS: ReadonlyMap<number, LinkKind> = new Map<number, LinkKind>([
  [LINK_KIND.anchor, { tag: 'a', attribute: 'href' }],
  [LINK_KIND.oldAnchor, { tag: 'a', attribute: 'xlink:href' }],
  [LINK_KIND.area, { tag: 'area', attribute: 'href' }],
  [LINK_KIND.iframe, { tag: 'iframe', attribute: 'src' }],
  [LINK_KIND.frame, { tag: 'frame', attribute: 'src' }],
  [LINK_KIND.refresh, REFRESH],
])

/** The first valid refresh of a page, which is the one that browsers obey. */
interface Refresh {
  readonly link: number
  readonly href: string
}

/** The links of the page that was scanned last, in page order, without assets and invalid refreshes. */
export class FoundLinks implements Iterable<Outlink> {
  readonly #records: LinkRecords
  readonly #refresh: Refresh | undefined
  /** Numbers of the records that are links; undefined if all are. */
  readonly #numbers: readonly number[] | undefined

  /** @param isMixed whether some records may be assets, or may turn out not to be links */
  constructor(records: LinkRecords, isMixed: boolean) {
    this.#records = records
    this.#refresh = isMixed ? refreshIn(records) : undefined
    if (isMixed) this.#numbers = numbersOf(records).filter((link) => this.isLink(link))
  }

  get length(): number {
    return this.#numbers?.length ?? this.#records.count
  }

  /** Yields the links as written in the page. */
  *[Symbol.iterator](): Generator<Outlink, undefined> {
    for (const link of this.#all) {
      const { tag, attribute } = this.#kindOf(link)
      const outlink = { href: this.hrefOf(link), tag, attribute }
      const rel = this.relOf(link)
      yield rel === undefined ? outlink : { ...outlink, rel }
    }
  }

  /** Yields the href and the text of each link. The text is empty if there is none, and for links other than `<a>`. */
  *shown(): Generator<{ readonly href: string; readonly text: string }, undefined> {
    const page = pageBytesOf(this.#records.page)
    for (const link of this.#all) {
      const isAnchor = this.#kindOf(link).tag === 'a'
      const tagEnd = this.#records.field(link, LINK.tagEnd)
      const text = isAnchor ? linkText(page, tagEnd, this.#records.decode) : ''
      yield { href: this.hrefOf(link), text }
    }
  }

  /** @param link number of a record */
  isLink(link: number): boolean {
    const kind = this.#records.field(link, LINK.kind)
    return kind === LINK_KIND.refresh ? this.#refresh?.link === link : kind < LINK_KIND.asset
  }

  hrefOf(link: number): string {
    return this.#refresh?.link === link ? this.#refresh.href : this.#records.hrefOf(link)
  }

  /** Returns the `rel` of a link. A refresh has none: its record has its `http-equiv` instead. */
  relOf(link: number): string | undefined {
    return this.#refresh?.link === link ? undefined : this.#records.relOf(link)
  }

  get #all(): readonly number[] {
    return this.#numbers ?? numbersOf(this.#records)
  }

  #kindOf(link: number): LinkKind {
    return KINDS.get(this.#records.field(link, LINK.kind)) ?? REFRESH
  }
}

function numbersOf({ count }: LinkRecords): number[] {
  return Array.from({ length: count }, (_, link) => link)
}

/** Returns the first valid refresh, which is the only one that counts; undefined if it only reloads the page. */
function refreshIn(records: LinkRecords): Refresh | undefined {
  for (let link = 0; link < records.count; link++) {
    if (records.field(link, LINK.kind) !== LINK_KIND.refresh) continue
    if (records.relOf(link)?.toLowerCase() !== 'refresh') continue
    const href = refreshUrl(records.hrefOf(link))
    if (href !== undefined) return href === '' ? undefined : { link, href }
  }
  return undefined
}
