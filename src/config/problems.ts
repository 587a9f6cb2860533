import type { BaseIssue } from 'valibot'
import { CrawlerError } from '../errors.ts'

/** Where a setting was written: a file's name, or undefined for flags. */
export type Origin = string | undefined

/** One error with a line for each problem, each naming the setting, what it holds and what it should. */
export function configError(origin: Origin, issues: readonly BaseIssue<unknown>[]): CrawlerError {
  return new CrawlerError('usage', issues.map((issue) => describe(origin, issue)).join('\n'))
}

function describe(origin: Origin, issue: BaseIssue<unknown>): string {
  const name = settingName(origin, issue)
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return `${name}: no such setting`
  }
  return `${name}: expected ${issue.message}, got ${quote(issue.input)}`
}

function settingName(origin: Origin, issue: BaseIssue<unknown>): string {
  const keys = issue.path?.map((item) => String(item.key)) ?? []
  if (origin !== undefined) return [origin, keys.join('.')].filter(Boolean).join(': ')
  const flag = (keys[0] ?? '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return flag === 'headers' ? '--header' : `--${flag}`
}

function quote(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? String(input))
  return `\`${text.length > 100 ? `${text.slice(0, 100)}…` : text}\``
}
