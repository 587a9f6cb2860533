import { percentDecoded } from './percent-decoded.ts'

/**
 * Parameters that tracking tools add to a site's links to record where a visitor came from. The list contains names
 * that belong to one tool and don't select a page: campaign tags (Google Analytics, Matomo and Piwik, Openstat), click
 * ids of advertisers (Google, Meta, Microsoft, Yandex, X, TikTok, LinkedIn, Pinterest, Reddit, Snapchat, Adobe,
 * Impact), ids of mails (Mailchimp, HubSpot, Marketo, Vero, Omeda) and cross-domain linkers (`_ga`, `_gl`). It leaves
 * out words that sites also use for other purposes: `ref`, `source`, `campaign`, `cid`, `trk`, `spm`, and other names
 * that begin with `pk_`, which may be primary keys.
 */
const TRACKING = parametersNamed(
  'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl fbclid msclkid ' +
    'yclid ysclid ymclid _openstat twclid ttclid li_fat_id igsh igshid epik rdt_cid sccid s_kwcid ' +
    'irclickid mc_cid mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok vero_id ' +
    'vero_conv oly_anon_id oly_enc_id pk_campaign pk_kwd pk_keyword pk_source pk_medium ' +
    'pk_content utm_[^=&]* mtm_[^=&]*',
)

/** Drops tracking parameters from a query. */
export function stripTracking(query: string): string {
  return without(query, TRACKING)
}

/**
 * Names of session ids of PHP, Java, ASP (with random letters after the name), ColdFusion, osCommerce and Zen Cart.
 * `sid` and `session` are left out, since they may also stand for conference sessions and database rows.
 */
const SESSION_NAMES = 'phpsessid jsessionid aspsessionid[a-z]* cfid cftoken oscsid zenid'
const SESSIONS = parametersNamed(SESSION_NAMES)
const SESSION_NAME = new RegExp(`^(?:${SESSION_NAMES.replaceAll(' ', '|')})$`, 'i')

/** Returns whether the value of a parameter with that name is always a session id. */
export function isSessionName(name: string): boolean {
  return SESSION_NAME.test(name)
}

/** Drops session ids from a query. */
export function stripQuerySession(query: string): string {
  return without(query, SESSIONS)
}

/** Returns a function that drops the named parameters from a query. Names are compared after decoding. */
export function stripParameters(names: readonly string[]): (query: string) => string {
  const unwanted = new Set(names)
  return (query) => {
    const pairs = query.split('&')
    const kept = pairs.filter((pair) => !unwanted.has(decodedName(pair)))
    return kept.length === pairs.length ? query : kept.join('&')
  }
}

function decodedName(pair: string): string {
  return percentDecoded(nameOf(pair).replaceAll('+', ' '))
}

/** Sorts the parameters of a query by name, then by value, in the order of code units. */
export function sortQuery(query: string): string {
  if (!query.includes('&')) return query
  const pairs = query.split('&')
  return pairs.every((pair, at) => at === 0 || inOrder(pairs[at - 1] ?? '', pair) <= 0)
    ? query
    : pairs.sort(inOrder).join('&')
}

/** Returns a pattern that matches a parameter in a query, in any case. @param names patterns, separated by spaces */
function parametersNamed(names: string): RegExp {
  return new RegExp(`(?:^|&)(?:${names.replaceAll(' ', '|')})(?:[=&]|$)`, 'i')
}

function without(query: string, unwanted: RegExp): string {
  if (!unwanted.test(query)) return query
  const pairs = query.split('&')
  return pairs.filter((pair) => !unwanted.test(pair)).join('&')
}

function inOrder(a: string, b: string): number {
  const nameOrder = compare(nameOf(a), nameOf(b))
  return nameOrder === 0 ? compare(a, b) : nameOrder
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function nameOf(pair: string): string {
  const end = pair.indexOf('=')
  return end === -1 ? pair : pair.slice(0, end)
}
