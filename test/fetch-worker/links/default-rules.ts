import { LinkRules } from '../../../src/fetch-worker/links/link-rules.ts'

/** Returns the rules of a crawl of one host, with the default settings. */
export function defaultRules(seed: string): LinkRules {
  return new LinkRules({
    scope: { scope: 'host', seeds: [seed], include: [], exclude: [] },
    widened: [],
    canonicalize: [],
    stripQuery: false,
    ignoreRobots: false,
    external: false,
    externalAssets: false,
    sitemaps: false,
  })
}
