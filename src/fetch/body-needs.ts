import { type ContentType, isHtml, loadingFile } from './content-type.ts'
import type { GetRequest } from './fetcher.ts'
import type { BackendOptions } from './fetcher-backend.ts'

/** The part of a request that determines which part of the body the crawl needs. */
export type BodyRequest = Pick<GetRequest, 'url' | 'maxBody' | 'maxSitemap' | 'keepBody'>

/** The options that determine which bodies are kept. */
export type KeptBodies = Pick<BackendOptions, 'archive' | 'keepsBody' | 'keepsLoadingFiles'>

/** The part of a body that the crawl needs. */
interface BodyNeeds {
  /** False to count its bytes only. */
  readonly isKept: boolean
  /** Maximum bytes of the decoded body to read. */
  readonly maxBody: number
}

/** Types of sitemaps and feeds, and the types that servers use for unknown files. */
const SITEMAP_TYPES = /^text\/|xml|gz|octet-stream|rss|atom|rdf/
/** Types of assets. A redirect doesn't show whether it leads to an asset or to a sitemap. */
const ASSET_TYPES = /^(?:image|audio|video|font)\/|^text\/(?:css|javascript)$/

/** Returns which part of a body the crawl needs. A body without a type may be a page or a sitemap. */
export function bodyNeeds(
  contentType: ContentType | undefined,
  request: BodyRequest,
  options: KeptBodies,
): BodyNeeds {
  const { maxBody, maxSitemap, keepBody } = request
  if (maxSitemap !== undefined && mayBeSitemap(contentType))
    return { isKept: true, maxBody: maxSitemap }
  return { isKept: keepBody === true || keeps(contentType, request, options), maxBody }
}

function mayBeSitemap(contentType: ContentType | undefined): boolean {
  if (contentType === undefined) return true
  const { type } = contentType
  return SITEMAP_TYPES.test(type) && !ASSET_TYPES.test(type) && !isHtml(type)
}

function keeps(
  contentType: ContentType | undefined,
  { url }: BodyRequest,
  { archive, keepsLoadingFiles, keepsBody }: KeptBodies,
): boolean {
  if (archive !== undefined || contentType === undefined) return true
  const { type } = contentType
  if (isHtml(type) || (keepsLoadingFiles && loadingFile(url, type) !== undefined)) return true
  return keepsBody?.(url, type) === true
}
