import * as v from 'valibot'

const flag = (description: string) =>
  v.pipe(v.optional(v.boolean('true or false'), false), v.description(description))

/** What is asked for beside the pages in the scope, and where links are written. */
export const linkSettings = {
  assets: flag('fetch images, scripts and styles too'),
  external: flag('ask for what links out of the scope lead to, too, without reading it'),
  sitemaps: flag('take URLs from sitemaps too'),
  links: v.pipe(
    v.optional(v.string('a file name')),
    v.description('file for a line about each link of each page: from where it leads to where'),
  ),
}
