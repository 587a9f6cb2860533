import { isHtml } from '../../fetch/content-type.ts'
import type { ImageKind } from '../../records/visit-attachments.ts'
import type { VisitFields } from '../../records/visit-record.ts'

/** The reason why browsers show no image although the request succeeded. */
export interface ImageDefect {
  readonly code: 'not-an-image' | 'empty-image'
  readonly message: string
}

type ResponseFields = Pick<VisitFields, 'status' | 'contentType' | 'bytes' | 'truncated'>

/** Types that servers send for files of an unknown type. Browsers then check the first bytes. */
const UNKNOWN: ReadonlySet<string> = new Set(['application/octet-stream', 'binary/octet-stream'])
/** Image types that can be recognized by their first bytes, as an `ImageKind`. */
const KNOWN =
  /^image\/(?:avif|apng|bmp|gif|hei[cf]|jp2|jpe?g|jxl|pjpeg|png|svg\+xml|tiff|vnd\.microsoft\.icon|webp|x-icon|x-ms-bmp|x-png)$/
/** Types that never belong to an image, not even on a server with incomplete type settings. */
const NO_IMAGE = /^text\/(?!plain$)|[/+]json$|javascript$|[/+]xml$/
const SVG = 'image/svg+xml'

/**
 * Returns why a response with the status 200 can't be an image; undefined if it may be one.
 * @param kind undefined if the body was not read
 */
export function imageDefectOf(response: ResponseFields, kind?: ImageKind): ImageDefect | undefined {
  const { status, contentType = '', bytes, truncated } = response
  if (status !== 200) return undefined
  if (isHtml(contentType)) return notAnImage('the response is an HTML page')
  if (bytes === 0) return truncated === true ? undefined : EMPTY
  const shown = contentType === '' ? 'the response' : `the response is ${contentType}`
  if (kind === undefined) {
    const isImage = contentType === SVG || !NO_IMAGE.test(contentType)
    return isImage ? undefined : notAnImage(shown)
  }
  if (kind === 'pixels' || (kind === 'svg' && contentType === SVG)) return undefined
  if (contentType === '' || UNKNOWN.has(contentType)) return notAnImage(`the response ${UNLIKE}`)
  if (!contentType.startsWith('image/')) return notAnImage(shown)
  return KNOWN.test(contentType) ? notAnImage(`${shown}, but ${UNLIKE}`) : undefined
}

const EMPTY: ImageDefect = { code: 'empty-image', message: 'the response has 0 bytes' }
const UNLIKE = 'does not begin like an image'

function notAnImage(message: string): ImageDefect {
  return { code: 'not-an-image', message }
}
