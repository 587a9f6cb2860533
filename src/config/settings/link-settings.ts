import * as v from 'valibot'
import { CANONICAL_RULES } from '../../url/canonical-rules.ts'
import { pastTime } from '../quantity-schemas.ts'
import { setting } from '../setting.ts'
import { flag, oneOf } from '../value-schemas.ts'

const PARAMETER_NAMES = 'names of parameters, such as `sort,page`'
/** A name can't be a URL. Otherwise a seed after --strip-query would be taken for a name. */
const parameterName = v.pipe(
  v.string(PARAMETER_NAMES),
  v.regex(/^[^/&=?#,]{1,200}$/, PARAMETER_NAMES),
)

const urls = { trust: 'any', decides: 'urls' } as const

/** Settings that decide which links lead to further URLs, and when two URLs are the same. */
export const linkSettings = {
  assets: setting(
    {
      ...urls,
      flag: '--assets',
      otherNames: ['--page-requisites', '--near'],
      worker: true,
      help: 'also fetch images, scripts, style sheets and what these load, within --scope; --external-assets adds all others',
    },
    flag(),
  ),
  externalAssets: setting(
    {
      ...urls,
      flag: '--external-assets',
      worker: true,
      help: 'with --assets: also fetch assets that leave the scope, such as those of a CDN',
    },
    flag(),
  ),
  external: setting(
    {
      ...urls,
      flag: '--external',
      otherNames: ['--ext-depth', '--check-external', '--check-extern'],
      worker: true,
      help: 'check links that leave the scope (HEAD only)',
    },
    flag(),
  ),
  sitemaps: setting(
    {
      ...urls,
      flag: '--sitemaps',
      otherNames: [
        '--known-files',
        '-kf',
        '--use-sitemap',
        '--use-sitemaps',
        '--follow-sitemap-xml',
      ],
      worker: true,
      help: 'read sitemaps for further URLs, such as pages that no page links to',
    },
    flag(),
  ),
  sitemapSince: setting(
    {
      ...urls,
      decides: 'run',
      flag: '--sitemap-since <date>',
      otherNames: ['--sitemap-from-date', '--from-date'],
      worker: true,
      help: 'with --sitemaps: skip entries of sitemaps that were last modified before this date, such as 2026-11-30, or longer ago than a duration, such as 7d; entries without a date are kept',
    },
    v.optional(pastTime()),
  ),
  canonicalize: setting(
    {
      ...urls,
      flag: '--canonicalize <rules>',
      list: 'commas',
      worker: true,
      help: 'merge URLs that are the same after these rules',
    },
    v.optional(v.array(oneOf(CANONICAL_RULES), 'a list of rules'), []),
  ),
  stripQuery: setting(
    {
      ...urls,
      flag: '--strip-query [names]',
      list: 'commas',
      worker: true,
      help: 'drop the query of links, or only the parameters with these names',
    },
    v.optional(
      v.union(
        [v.boolean(), v.pipe(v.array(parameterName), v.minLength(1, 'at least one name'))],
        PARAMETER_NAMES,
      ),
      false,
    ),
  ),
}
