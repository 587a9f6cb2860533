import type { Summary } from './stats.ts'

type AdvisedSummary = Pick<
  Summary,
  'reason' | 'seedsAnswered' | 'severalMatches' | 'unmatchedPatterns' | 'visits'
>

/**
 * Returns a sentence for each option that may not have done what was meant.
 * @param job that the process took part in
 */
export function adviceOn(summary: AdvisedSummary, job?: string): string[] {
  const { reason, seedsAnswered, severalMatches, unmatchedPatterns, visits } = summary
  if (reason === 'stopped' || reason === 'output-closed') return []
  if (job !== undefined && visits === 0) return [idleText(job)]
  if (seedsAnswered === 0) return []
  const { include = [], exclude = [] } = unmatchedPatterns ?? {}
  return [
    ...include.map((pattern) => unmatchedText('--include', pattern)),
    ...exclude.map((pattern) => unmatchedText('--exclude', pattern)),
    ...Object.entries(severalMatches).map(
      ([name, pages]) =>
        `--extract ${name}: ${pages} ${pages === 1 ? 'page has' : 'pages have'} more than one match, of which only the first was taken; ${name}[]=… takes all`,
    ),
  ]
}

function idleText(job: string): string {
  return `This process fetched nothing: other processes of job ${job} had its hosts. One process at a time crawls a host, so further processes help only with further hosts`
}

function unmatchedText(flag: string, pattern: string): string {
  return `${flag} ${pattern} matched no URL inside the scope; it is compared with whole URLs, such as https://example.com/folder/page`
}
