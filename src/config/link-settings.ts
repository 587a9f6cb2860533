import * as v from 'valibot'
import { described, flag } from './fields.ts'

/** What is asked for beside the pages in the scope, and where links are written. */
export const linkSettings = {
  assets: described('fetch images, scripts and styles too', flag()),
  external: described(
    'ask for what links out of the scope lead to, too, without reading it',
    flag(),
  ),
  sitemaps: described('take URLs from sitemaps too', flag()),
  links: described(
    'file for a line about each link of each page: from where it leads to where',
    v.optional(v.string('a file name')),
  ),
}
