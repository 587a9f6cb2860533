import * as v from 'valibot'
import { FIELD_NAME, parseField } from '../fields/field.ts'
import { isSelector } from '../fields/html-tree.ts'
import { duration, fileName, flag, setting } from './fields.ts'

const MAX_FIELDS = 100

const fieldName = v.pipe(
  v.string('a name'),
  v.regex(FIELD_NAME, 'a name such as `price` or, for a list, `links[]`'),
)
const fieldSource = v.pipe(
  v.string('a CSS selector'),
  v.check(
    (source) => isSelector(parseField('', source).selector),
    'a CSS selector, with `@attribute` behind it if need be',
  ),
)

/** What is taken from each page. */
export const pageSettings = {
  extract: setting(
    'any',
    'what is taken from each page, by CSS selectors, under which name',
    v.optional(
      v.pipe(
        v.record(fieldName, fieldSource, 'an object of names and CSS selectors'),
        v.check(
          (fields) => Object.keys(fields).length <= MAX_FIELDS,
          `at most ${MAX_FIELDS} fields`,
        ),
      ),
      {},
    ),
  ),
  text: setting('any', 'take the readable text of each page', flag()),
  markdown: setting('any', 'take each page as Markdown', flag()),
  hooks: setting(
    'given',
    'module of hooks that the workers import; only in a file that --config names',
    v.optional(fileName('a module')),
  ),
  hookTimeout: setting('any', 'time for one call of a hook', v.optional(duration(1), '10s')),
}
