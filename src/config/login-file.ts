import * as v from 'valibot'
import { CrawlerError } from '../errors.ts'
import { nameSuggestion } from '../near-name.ts'
import { isRedirect } from '../records/redirect-status.ts'
import { Secret } from '../secret.ts'
import { parseSeed } from '../url/seed.ts'
import { parseJson } from './config-file.ts'
import type { Environment } from './environment.ts'
import { record } from './record-schema.ts'
import { LOGIN_EXAMPLE } from './settings/login-settings.ts'
import { readSmallFile } from './small-file.ts'

/** A login by a form, and the conditions that show that it worked. */
export interface LoginForm {
  /** The canonical URL of the page with the form. */
  readonly url: string
  /** CSS selector of the form; if absent, the first form that has all fields is used. */
  readonly form?: string | undefined
  /** The canonical URL that the fields are sent to; if absent, the one that the form names. */
  readonly action?: string | undefined
  readonly fields: ReadonlyMap<string, Secret>
  readonly check: LoginCheck
}

/** The conditions that show that a login worked. All conditions that are given must be met. */
interface LoginCheck {
  /** Status of the response to the fields. */
  readonly status?: number | undefined
  /** Name of a cookie that the site sets. */
  readonly cookie?: string | undefined
  /** Canonical URL of a page that exists and doesn't redirect after the login. */
  readonly url?: string | undefined
  /** Text of the page at `url`; without `url`, of the page that follows the login. */
  readonly text?: string | undefined
}

const MAX_FIELDS = 100
const FILE = 'a JSON file that describes a login'

const text = (expected: string) => v.pipe(v.string(expected), v.minLength(1, expected))

const siteUrl = v.pipe(
  v.string('an http or https URL'),
  v.regex(/^https?:\/\/(?![/\\]*[^/\\?#]*@)/i, 'an http or https URL without user and password'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return parseSeed(dataset.value).url
    } catch {
      addIssue({ message: 'an http or https URL' })
      return NEVER
    }
  }),
)

const FIELD = 'a text, or { "env": "NAME" } for an environment variable'
const fieldValue = v.pipe(
  v.union([v.string(), v.strictObject({ env: text(FIELD) })], FIELD),
  v.check((value) => typeof value !== 'string' || value.length <= 8_192, FIELD),
)

const STATUS = 'a status such as 302'
const EXAMPLE = `for example ${LOGIN_EXAMPLE}, where check.url is a page that only members can open`
const CHECK = `an object with at least one of status, text, cookie and url, ${EXAMPLE}`
/** Most sites respond to a wrong password with their form again, and status 200. */
const PROOF = `more than a status that a failed login has, too, ${EXAMPLE}`

const loginSchema = v.strictObject(
  {
    url: siteUrl,
    form: v.optional(text('a CSS selector')),
    action: v.optional(siteUrl),
    fields: v.pipe(
      record(v.string(), fieldValue, 'an object of names and values'),
      v.check(
        (fields) => Object.keys(fields).length > 0 && Object.keys(fields).length <= MAX_FIELDS,
        `an object of 1 to ${MAX_FIELDS} names and values`,
      ),
    ),
    check: v.pipe(
      v.strictObject(
        {
          status: v.optional(
            v.pipe(
              v.number(STATUS),
              v.integer(STATUS),
              v.minValue(200, STATUS),
              v.maxValue(599, STATUS),
            ),
          ),
          cookie: v.optional(text('the name of a cookie')),
          url: v.optional(siteUrl),
          text: v.optional(text('a text of the page')),
        },
        CHECK,
      ),
      v.check((check) => Object.values(check).some((value) => value !== undefined), CHECK),
      v.check(
        ({ status, cookie, url, text: words }) =>
          status === undefined || isRedirect(status) || [cookie, url, words].some(Boolean),
        PROOF,
      ),
    ),
  },
  `an object with url, fields and check, ${EXAMPLE}`,
)

/**
 * Reads the file of `--login`. Values of fields may come from the environment.
 * @throws CrawlerError('usage') naming the problem, but quoting no value
 */
export function readLoginFile(file: string, environment: Environment = process.env): LoginForm {
  const result = v.safeParse(loginSchema, parseJson(readSmallFile(file, FILE), file))
  if (!result.success) {
    // A misspelled name also looks like a missing one.
    const issue = result.issues.find(isUnknownName) ?? result.issues[0]
    const place = issue.path?.map(({ key }) => String(key)).join('.')
    const message = describeIssue(issue)
    throw new CrawlerError('usage', [file, place, message].filter(Boolean).join(': '))
  }
  const { fields, ...rest } = result.output
  const values = Object.entries(fields).map(([name, value]) => {
    const secret = typeof value === 'string' ? value : environment[value.env]
    if (secret !== undefined) return [name, new Secret(secret)] as const
    const variable = typeof value === 'string' ? '' : value.env
    const message = `expected the environment variable ${variable}, which is not set`
    throw new CrawlerError('usage', `${file}: fields.${name}: ${message}`)
  })
  return { ...rest, fields: new Map(values) }
}

const NAMES = ['url', 'form', 'action', 'fields', 'check', 'status', 'cookie', 'text']

function describeIssue(issue: v.BaseIssue<unknown>): string {
  if (isUnknownName(issue)) {
    const name = String(issue.path?.at(-1)?.key)
    return `no such setting of a login${nameSuggestion(name, NAMES)}`
  }
  const isMissing = issue.type === 'strict_object' && issue.path?.at(-1)?.origin === 'key'
  return isMissing ? `expected, but missing; ${EXAMPLE}` : `expected ${issue.message}`
}

function isUnknownName(issue: v.BaseIssue<unknown>): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never'
}
