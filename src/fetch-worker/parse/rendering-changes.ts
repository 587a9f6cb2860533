import { decodePage } from '../../html/charset/decode-page.ts'
import type { FetchedFields } from '../../records/visit-record.ts'
import type { PageDirectives } from '../../robots/page-directives.ts'

/** The features of a page that its scripts may change. */
export interface PageFeatures {
  readonly title?: string | undefined
  /** The URL that the page names as its canonical one. */
  readonly canonical?: string | undefined
  readonly directives: PageDirectives
  readonly body: Buffer
  /** WHATWG name of its encoding. */
  readonly charset: string
}

type ChangeFields = Pick<
  FetchedFields,
  'robots' | 'textLength' | 'rawTitle' | 'rawCanonical' | 'rawRobots' | 'rawTextLength'
>

/**
 * Returns the fields that show what scripts have changed on a page.
 * @param sent the page as the server sent it
 * @param shown the page as the browser shows it
 */
export async function renderingChanges(
  sent: PageFeatures,
  shown: PageFeatures,
): Promise<ChangeFields> {
  const robots = robotsOf(shown)
  return {
    ...(robots !== '' && { robots }),
    ...(await textLengths(sent, shown)),
    ...changed('rawTitle', sent.title ?? '', shown.title ?? ''),
    ...changed('rawCanonical', sent.canonical ?? '', shown.canonical ?? ''),
    ...changed('rawRobots', robotsOf(sent), robots),
  }
}

function changed<Name extends string, Value>(name: Name, sent: Value, shown: Value) {
  return sent !== shown && { [name]: sent }
}

/** Returns the robots directives of a page in their usual notation. */
function robotsOf({ directives: { noindex, nofollow } }: PageFeatures): string {
  return [noindex && 'noindex', nofollow && 'nofollow'].filter(Boolean).join(', ')
}

/** Returns no lengths if extracting one of the texts takes too long. */
async function textLengths(sent: PageFeatures, shown: PageFeatures) {
  // Loaded only for rendered pages.
  const { textLength } = await import('../../page-data/text-length.ts')
  const [before, after] = [sent, shown].map(({ body, charset }) =>
    textLength(decodePage(body, charset)),
  )
  if (before === undefined || after === undefined) return {}
  return { textLength: after, ...changed('rawTextLength', before, after) }
}
