import type { RobotsAnswer } from '../../messages/messages.ts'
import { hostKey } from '../../url/host-key.ts'
import { LinkResolver } from '../../url/resolve.ts'

/**
 * The sitemaps of an origin (sitemaps.org, "Submitting your Sitemap"): those that its robots.txt
 * names, or the one in the usual place.
 * @param isWanted for sitemaps on other hosts
 */
export function sitemapsOf(
  origin: string,
  answer: RobotsAnswer | undefined,
  isWanted: (url: string) => boolean,
): string[] {
  const named = answer?.access === 'rules' ? answer.rules.sitemaps : []
  const resolver = new LinkResolver(`${origin}/robots.txt`)
  const urls = named.flatMap((href) => resolver.resolve(href) ?? [])
  const host = hostKey(`${origin}/`)
  const wanted = urls.filter((url) => hostKey(url) === host || isWanted(url))
  return wanted.length > 0 ? wanted : [`${origin}/sitemap.xml`]
}
