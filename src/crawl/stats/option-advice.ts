import type { Summary } from './stats.ts'

type AdvisedSummary = Pick<
  Summary,
  'reason' | 'seedsAnswered' | 'severalMatches' | 'unmatchedPatterns'
>

/** Returns a sentence for each option that may not have done what was meant. */
export function adviceOn({
  reason,
  severalMatches,
  seedsAnswered,
  unmatchedPatterns: { include, exclude } = { include: [], exclude: [] },
}: AdvisedSummary): string[] {
  if (seedsAnswered === 0 || reason === 'stopped' || reason === 'output-closed') return []
  return [
    ...include.map((pattern) => unmatchedText('--include', pattern)),
    ...exclude.map((pattern) => unmatchedText('--exclude', pattern)),
    ...Object.entries(severalMatches).map(
      ([name, pages]) =>
        `--extract ${name}: ${pages} ${pages === 1 ? 'page has' : 'pages have'} more than one match, of which only the first was taken; ${name}[]=… takes all`,
    ),
  ]
}

function unmatchedText(flag: string, pattern: string): string {
  return `${flag} ${pattern} matched no URL inside the scope; it is compared with whole URLs, such as https://example.com/folder/page`
}
