import type { Fingerprint } from '../../duplicates/page-fingerprint.ts'
import type { Beside, Findings, Visited } from '../../messages/messages.ts'
import type { PageWishes } from '../../page-data/page-wishes.ts'
import { type CrawlUrl, MAX_SIDESTEPS } from '../../records/crawl-url.ts'
import type { Skip } from '../../records/skip.ts'
import type { FetchedFields } from '../../records/visit-record.ts'
import type { BoilerplateDetector } from '../../traps/boilerplate/boilerplate-detector.ts'
import type { LinkGate } from '../links/link-filter.ts'
import type { Admission, Rewriting } from '../links/link-list.ts'
import type { PageLinker } from '../links/page-links.ts'
import type { Discoverer } from '../links/seen-check.ts'

/** What reading an answer takes. */
export interface ReadingTools {
  readonly gate: LinkGate
  readonly discoverer: Discoverer
  readonly maxRedirects: number
  /** Whether images, scripts and styles are wanted. */
  readonly assets: boolean
  /** Whether URLs are taken from sitemaps. */
  readonly sitemaps: boolean
  /** Whether what style sheets load is wanted, too: where their bodies are kept. */
  readonly readsStyleSheets: boolean
  readonly productToken: string
  /** Undefined when nobody asks where the links of pages lead. */
  readonly linker: PageLinker | undefined
  /** Whether it is to be told what recognizes traps. */
  readonly traps: boolean
  /** Undefined when nobody asks what is new about a page. */
  readonly boilerplate: BoilerplateDetector | undefined
  /** Undefined when nobody asks for pages with the same content. */
  readonly fingerprint: Fingerprint | undefined
  /** Undefined when nothing is wanted of pages but links. */
  readonly wishes: PageWishes | undefined
}

/** What an answer adds to its record, where it leads, and where it doesn't. */
export interface Reading {
  readonly record: Pick<
    FetchedFields,
    | 'redirectsTo'
    | 'charset'
    | 'title'
    | 'links'
    | 'discovered'
    | 'noindex'
    | 'canonical'
    | 'error'
    | 'dataJson'
    | 'dataTruncated'
  >
  readonly leadsTo: Findings &
    Pick<
      Visited,
      'leaves' | 'linkCount' | 'isUnreadSitemap' | 'fingerprint' | 'outlinks' | 'pageLinks'
    >
  readonly skips: readonly Skip[]
  readonly rewritings: readonly Rewriting[]
}

const NOWHERE: Findings = { discovered: [], nearer: [], beside: [] }

/** Of no interest but for the record. */
export const UNREAD: Reading = { record: {}, leadsTo: NOWHERE, skips: [], rewritings: [] }

/** What is as many steps beside the links as is allowed leads to nothing further beside itself. */
export function limited(admission: Admission, { url: via, depth, sidesteps }: CrawlUrl): Admission {
  if (sidesteps < MAX_SIDESTEPS) return admission
  const skips = admission.urls.map((url) => ({ url, via, depth, reason: 'limit' }) as const)
  return { ...admission, urls: [], skips: [...admission.skips, ...skips] }
}

/** What leads beside itself only. */
export function leadsBeside(...beside: readonly Beside[]): Findings {
  return { ...NOWHERE, beside }
}
