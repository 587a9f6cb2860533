import * as v from 'valibot'
import { fileName, flag, setting } from './fields.ts'

/** What is asked for beside the pages in the scope, and where links are written. */
export const linkSettings = {
  assets: setting('any', 'fetch images, scripts and styles too', flag()),
  external: setting(
    'any',
    'ask for what links out of the scope lead to, too, without reading it',
    flag(),
  ),
  sitemaps: setting('any', 'take URLs from sitemaps too', flag()),
  links: setting(
    'inside',
    'file for a line about each link of each page: from where it leads to where',
    v.optional(fileName('a file name')),
  ),
}
