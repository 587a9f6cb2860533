import { nearName } from '../near-name.ts'
import { ipFamily } from './ip-family.ts'

/** Matches a URL in quotes or brackets. */
const WRAPPED =
  /^["'`<([\u201c\u2018]+(https?:\/\/[^"'`<>()\]\s\u201d\u2019]+)["'`>)\]\u201d\u2019]*$/i
/** Matches a scheme with too few slashes, without its colon, or with other wrong punctuation. */
const BROKEN_SCHEME = /^(https?)(?::\/?|\/\/|;\/\/|:\\\\)(?=localhost|\[|[^/\\:?#]+\.)/i
const ANY_SCHEME = /^([a-z]{3,7}):\/\/(.+)$/i
const HOST_AND_PATH = /^(?:(https?):\/\/)?([0-9a-f:.]+)(\/.*)?$/i
/** Maximum length of a text that is corrected, in characters. A longer text is hardly a typing error. */
const MAX_LENGTH = 200

/** Returns the URL that a user probably meant by a text that isn't a URL; undefined if none is likely. */
export function likelySeed(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  return [withoutWrapping, withWholeScheme, withNearScheme, withBrackets]
    .map((mend) => mend(text))
    .find((url) => url !== undefined && URL.canParse(url))
}

function withoutWrapping(text: string): string | undefined {
  return WRAPPED.exec(text)?.[1]
}

function withWholeScheme(text: string): string | undefined {
  return BROKEN_SCHEME.test(text) ? text.replace(BROKEN_SCHEME, '$1://') : undefined
}

function withNearScheme(text: string): string | undefined {
  const [, typed = '', rest = ''] = ANY_SCHEME.exec(text) ?? []
  const scheme = nearName(typed, ['https', 'http'])
  return scheme === undefined || /^https?$/i.test(typed) ? undefined : `${scheme}://${rest}`
}

/** Adds the brackets that an IPv6 address needs in a URL. */
function withBrackets(text: string): string | undefined {
  const [, scheme = 'http', host = '', path = '/'] = HOST_AND_PATH.exec(text) ?? []
  return ipFamily(host) === 6 ? `${scheme}://[${host}]${path}` : undefined
}
