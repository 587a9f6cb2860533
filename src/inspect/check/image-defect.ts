import { isHtml } from '../../fetch/content-type.ts'
import type { VisitFields } from '../../records/visit-record.ts'

/** Why browsers show no image although the request succeeded, by the code of the finding. */
const IMAGE_DEFECTS = {
  'not-an-image': 'the response is an HTML page',
  'empty-image': 'the response has 0 bytes',
} as const
export type ImageDefect = keyof typeof IMAGE_DEFECTS

/** Returns why a response with the status 200 can't be an image; undefined if it may be one. */
export function imageDefectOf({
  status,
  contentType,
  bytes,
  truncated,
}: Pick<VisitFields, 'status' | 'contentType' | 'bytes' | 'truncated'>): ImageDefect | undefined {
  if (status !== 200) return undefined
  if (isHtml(contentType ?? '')) return 'not-an-image'
  return bytes === 0 && truncated !== true ? 'empty-image' : undefined
}

/** Returns the defect as the error of a finding. */
export function defectError(code: ImageDefect): {
  readonly code: string
  readonly message: string
} {
  return { code, message: IMAGE_DEFECTS[code] }
}
