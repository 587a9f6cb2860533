import * as v from 'valibot'
import { didYouMean } from '../../near-name.ts'
import {
  FIELD_NAME,
  fieldsOf,
  haveOwnNames,
  isValidField,
  parseField,
} from '../../page-data/field.ts'
import { isSelector } from '../../page-data/html-tree.ts'
import { fileName } from '../file-name-schemas.ts'
import { responseHeaderNames } from '../header-schemas.ts'
import { duration } from '../quantity-schemas.ts'
import { record } from '../record-schema.ts'
import { setting } from '../setting.ts'
import { flag } from '../value-schemas.ts'

const MAX_FIELDS = 100
const EACH_NAME_ONCE = 'each name once'

const fieldName = v.pipe(
  v.string('a name'),
  v.regex(FIELD_NAME, 'a name such as `price` or, for a list, `links[]`'),
)
const fieldSource = v.pipe(
  v.string('a CSS selector'),
  v.check(
    isValid,
    ({ input }) =>
      `a CSS selector, with \`@attribute\` or \`{name=selector, …}\` behind it if need be${didYouMean(likelySource(input))}`,
  ),
  v.check((source) => haveOwnNames(parseField('', source).fields ?? []), EACH_NAME_ONCE),
)

/** Returns whether a text is a selector of a field, or of a group of fields. */
function isValid(source: string): boolean {
  return isValidField(parseField('', source), isSelector)
}

/** Returns the selector that a selector of Scrapy stands for, such as `a@href` for `a::attr(href)`; undefined if none. */
function likelySource(source: string): string | undefined {
  const meant = source.replace(/\s*::text\b/g, '').replace(/\s*::attr\(([^()]*)\)/g, '@$1')
  return isValid(meant) ? meant : undefined
}

const records = { trust: 'any', decides: 'records', worker: true } as const

/** Settings of the data taken from each page, other than links. */
export const pageDataSettings = {
  extract: setting(
    {
      ...records,
      flag: '--extract <name=selector>',
      separator: '=',
      help: "add a field to each record: the first match of a CSS selector; name[]=selector takes all, 'products[]=.product{name=.name, price=.price}' groups fields",
    },
    v.optional(
      v.pipe(
        record(fieldName, fieldSource, 'an object of names and CSS selectors'),
        v.check(
          (fields) => Object.keys(fields).length <= MAX_FIELDS,
          `at most ${MAX_FIELDS} fields`,
        ),
        v.check((fields) => haveOwnNames(fieldsOf(fields)), EACH_NAME_ONCE),
      ),
      {},
    ),
  ),
  text: setting({ ...records, flag: '--text', help: 'add the readable text of each page' }, flag()),
  markdown: setting({ ...records, flag: '--markdown', help: 'add each page as Markdown' }, flag()),
  content: setting(
    {
      ...records,
      flag: '--content <selector>',
      otherNames: ['--only-main-content', '--main-content', '--main', '--readability'],
      help: 'take --text and --markdown only from the first element that matches this CSS selector, such as main; --content-dedup near compares only these',
    },
    v.optional(v.pipe(v.string('a CSS selector'), v.check(isSelector, 'a CSS selector'))),
  ),
  responseHeaders: setting(
    {
      ...records,
      flag: '--response-headers <names>',
      list: 'commas',
      someItems: ['last-modified', 'etag', 'server', 'x-robots-tag', 'cache-control'],
      otherNames: ['--server-response', '--show-headers', '--include-headers'],
      help: 'add these headers of each response to its data, such as last-modified,x-robots-tag',
    },
    v.optional(responseHeaderNames(), []),
  ),
  hash: setting(
    {
      ...records,
      flag: '--hash',
      help: 'add the SHA-256 of each body, so that crawl diff finds every change of a page',
    },
    flag(),
  ),
  hooks: setting(
    {
      trust: 'given',
      decides: 'urls',
      worker: true,
      help: 'JavaScript module of hooks that the workers import; only in a file that --config names',
    },
    v.optional(fileName('the path or `file:` URL of a module')),
  ),
  hookTimeout: setting(
    { trust: 'any', decides: 'run', worker: true, help: 'time limit for one call of a hook' },
    v.optional(duration(1), '10s'),
  ),
}
