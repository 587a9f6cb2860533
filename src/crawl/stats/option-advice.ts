import { countOf } from '../../english-text.ts'
import type { Summary } from './stats.ts'

type AdvisedSummary = Pick<
  Summary,
  | 'cutBodies'
  | 'errors'
  | 'reason'
  | 'round'
  | 'seedsAnswered'
  | 'severalMatches'
  | 'unmatchedContent'
  | 'unmatchedFields'
  | 'unmatchedPatterns'
  | 'visits'
>

/**
 * Returns a sentence for each option that may not have had the intended effect.
 * @param job name of the job that the process took part in
 */
export function adviceOn(summary: AdvisedSummary, job?: string): string[] {
  const { round, reason, seedsAnswered, severalMatches, unmatchedPatterns, visits } = summary
  const { cutBodies, unmatchedContent, unmatchedFields = [] } = summary
  const { errors } = round ?? summary
  if (reason === 'stopped' || reason === 'output-closed') return []
  if (job !== undefined && visits === 0) return [idleText(job)]
  if (seedsAnswered === 0) return []
  const { include = [], exclude = [], includePath = [], excludePath = [] } = unmatchedPatterns ?? {}
  return [
    ...include.map((pattern) => unmatchedText('--include', pattern)),
    ...exclude.map((pattern) => unmatchedText('--exclude', pattern)),
    ...includePath.map((path) => unmatchedPathText('--include-path', path)),
    ...excludePath.map((path) => unmatchedPathText('--exclude-path', path)),
    ...unmatchedFields.map((name) => noMatchText(`--extract ${name}`)),
    ...(unmatchedContent === undefined ? [] : [noMatchText(`--content ${unmatchedContent}`)]),
    ...Object.entries(severalMatches).map(
      ([name, pages]) =>
        `--extract ${name}: ${countOf(pages, 'page has', 'pages have')} more than one match, of which only the first was taken; ${name}[]=… takes all`,
    ),
    ...privateText(errors['private-address'] ?? 0),
    ...cutText(cutBodies),
  ]
}

function idleText(job: string): string {
  return `This process fetched nothing: other processes of job ${job} had its hosts. One process at a time crawls a host, so further processes help only with further hosts`
}

function noMatchText(option: string): string {
  return `${option} found nothing on any page: check its selector`
}

/** @param count number of URLs that were refused since their addresses are private */
function privateText(count: number): string[] {
  if (count === 0) return []
  const subject =
    count === 1
      ? '1 URL was not fetched, since it is at a private address'
      : `${count} URLs were not fetched, since they are at private addresses`
  return [`${subject}: --allow-private fetches ${count === 1 ? 'it' : 'them'}`]
}

/** @param count number of bodies that are longer than `--max-body` */
function cutText(count: number): string[] {
  if (count === 0) return []
  const one = 'body was longer than --max-body, so it was cut: a larger size takes it whole'
  const many =
    'bodies were longer than --max-body, so they were cut: a larger size takes them whole'
  return [countOf(count, one, many)]
}

function unmatchedText(flag: string, pattern: string): string {
  const advice = /^\^?\//.test(pattern) ? `; ${flag}-path takes paths` : ''
  return `${flag} ${pattern} matched no URL inside the scope; it is compared with whole URLs, such as https://example.com/folder/page${advice}${waysAdvice(flag)}`
}

function unmatchedPathText(flag: string, path: string): string {
  return `${flag} ${path} matched no URL inside the scope; it is compared with whole paths, in upper and lower case as they are in URLs, such as /folder/page${waysAdvice(flag)}`
}

function waysAdvice(flag: string): string {
  return flag.startsWith('--include') ? '; pages that lead to such URLs must match, too' : ''
}
