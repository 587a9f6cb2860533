import type { Config } from '../../config/schema.ts'
import { countsOfRound, visitsText } from '../../crawl/stats/counts-of-round.ts'
import { httpErrorsIn } from '../../crawl/stats/failure-counts.ts'
import { refusalAdvice } from '../../crawl/stats/refusal-advice.ts'
import { END_REASON_TEXT, type Summary, type VisitCounts } from '../../crawl/stats/stats.ts'
import { countOf, formatCount, formatPercent } from '../../english-text.ts'
import { replaceControls } from '../../printable-text.ts'
import { isProbablyComplete } from '../../seen/seen-set.ts'
import { missedShare } from './frame.ts'
import { formatClockDuration, formatRate, formatSize } from './number-format.ts'
import { leftOverText, SKIP_REASON_TEXT } from './skip-reason-text.ts'
import { joinToLines } from './text-table.ts'

/** A section of the summary: its title and lines. */
type SummarySection = readonly [title: string, ...lines: string[]]

/** Maximum number of traps, hosts and seeds that are listed. */
const MAX_LISTED = 5
const TITLE_WIDTH = 13
const MAX_WIDTH = 120

/**
 * Summarizes a finished crawl: what was found, what failed, what was skipped and why, its speed,
 * and the losses of the seen set.
 * @param columns width of the terminal
 */
export function summaryText(summary: Summary, config: Config, columns: number): string {
  const width = Math.min(columns - 1, MAX_WIDTH)
  const { reason, hosts, rss } = summary
  const counts = countsOfRound(summary)
  const { elapsedMs, visits, bytes } = counts
  const speed = formatRate(elapsedMs > 0 ? (visits * 1_000) / elapsedMs : 0)
  const pages = `${END_REASON_TEXT[reason]} after ${formatClockDuration(elapsedMs)}: ${visitsText(summary, formatCount)} on ${countOf(hosts, 'host')}`
  const head = [pages, `${speed}/s`, `${formatSize(bytes)} read`, `${formatSize(rss)} of memory`]
  const parts = [
    foundSection(counts),
    httpErrorsSection(counts),
    failedSection(counts),
    retriesSection(counts),
    skippedSection(summary, config),
    trapsSection(summary),
    givenUpSection(summary, config),
    loginSection(summary),
    lossesSection(summary, config),
    remainingSection(summary, config),
    seedsSection(summary, config),
  ]
  const items = head.flatMap((item) => wrap(item, width))
  const lines = parts.flatMap((part) => sectionLines(part, width))
  return `${[...joinToLines(items, width), ...lines].join('\n')}\n`
}

/** Wraps long lines, so that URLs are shown in full. */
function sectionLines([title, ...texts]: SummarySection, width: number): string[] {
  const lines = texts.flatMap((text) => wrap(replaceControls(text), width - TITLE_WIDTH))
  return lines.map((line, at) => (at === 0 ? title : '').padEnd(TITLE_WIDTH) + line)
}

/** Wraps a text between words. A longer word than `width` gets a line of its own. */
function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(/(?<= )/)) {
    const longer = `${lines.at(-1)}${word}`
    if (longer.trimEnd().length <= width || longer === word) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => line.trimEnd())
}

function foundSection({ statuses }: VisitCounts): SummarySection {
  return [
    'Found',
    ...countLines(Object.entries(statuses).filter(([status]) => Number(status) < 400)),
  ]
}

function httpErrorsSection(counts: VisitCounts): SummarySection {
  return ['HTTP errors', ...countLines(httpErrorsIn(counts))]
}

/** Lists the errors of URLs that got no usable response. */
function failedSection({ errors }: VisitCounts): SummarySection {
  const lines = countLines(Object.entries(errors))
  return lines.length === 0 ? ['Failed', 'nothing'] : ['Failed', ...lines]
}

function retriesSection({ retries }: VisitCounts): SummarySection {
  return retries === 0 ? ['Retries'] : ['Retries', formatCount(retries)]
}

function skippedSection(summary: Summary, config: Config): SummarySection {
  const { skipped } = countsOfRound(summary)
  const rows = Object.entries(skipped).map(([reason, times]): [string, number] => [
    reason === 'limit' ? limitText(summary, config) : (SKIP_REASON_TEXT[reason] ?? reason),
    times,
  ])
  const isListed = Object.keys(skipped).some((reason) => reason !== 'duplicate')
  const isAsked = isListed && config.skipped === undefined
  const hint = isAsked ? ['--skipped <file> lists them with reasons, except known URLs'] : []
  return ['Skipped', ...countLines(rows), ...hint]
}

/** Returns why URLs are left in the queue. */
function limitText(summary: Summary, config: Config): string {
  if (!skipsWaiting(summary, config)) return SKIP_REASON_TEXT.limit
  const advice =
    summary.reason === 'stopped' ? '; with --state <dir> the same command would go on' : ''
  return `${leftOverText(summary)}${advice}`
}

/** Returns whether waiting URLs are counted as skipped, since the crawl isn't stored. */
function skipsWaiting({ queued, skipped }: Summary, config: Config): boolean {
  return !isKept(config) && queued > 0 && (skipped['limit'] ?? 0) >= queued
}

function isKept({ frontier, state }: Config): boolean {
  return state !== undefined || frontier.length > 0
}

function trapsSection({ traps }: Summary): SummarySection {
  const greatest = traps.toSorted((a, b) => b.dropped - a.dropped).slice(0, MAX_LISTED)
  return [
    'Traps',
    ...greatest.map(
      ({ pattern, dropped, example }) =>
        `${pattern}: ${countOf(dropped, 'URL')} left out, such as ${example}`,
    ),
  ]
}

function givenUpSection(
  { givenUp: { first, count: all } }: Summary,
  { state }: Config,
): SummarySection {
  const named = first.slice(0, MAX_LISTED)
  const lines = named.map(({ key, reason, waiting }) => {
    return `${key}, with ${countOf(waiting, 'URL')}: ${reason}`
  })
  const rest = all > named.length ? [`${countOf(all - named.length, 'more host')}`] : []
  const hint = state !== undefined && all > 0 ? ['--retry-failed visits their URLs later'] : []
  return ['Given up', ...lines, ...rest, ...hint]
}

/** Reports that the session of `--login` ended, and the number of URLs that were lost. */
function loginSection({ login }: Summary): SummarySection {
  if (login === undefined) return ['Login']
  const { first, lost, renewals } = login
  const again = renewals === 0 ? [] : [`lost and renewed ${countOf(renewals, 'time')}`]
  if (first === undefined) return ['Login', ...again]
  const urls = `${countOf(lost, 'URL')} led to the login page, such as ${first.url} to ${first.redirectsTo}`
  return ['Login', ...again, `lost: ${urls}`]
}

/** Reports new URLs that the seen set may have taken for known ones. In a job, that set is in Redis. */
function lossesSection({ seen }: Summary, { frontier }: Config): SummarySection {
  if (frontier.length > 0) return ['Missed']
  const { added, fill, expectedLost, audit } = seen
  const audited =
    audit && ` (${formatCount(audit.sampled)} audited, ${formatCount(audit.mistakes)} missed)`
  const all = `${countOf(added, 'URL')}${audited ?? ''}`
  if (isProbablyComplete(seen)) return ['Missed', `an estimated 0 of ${all}`]
  return [
    'Missed',
    `an estimated ${expectedLost.toFixed(1)} of ${all}`,
    `the seen set is ${formatPercent(fill)} full: ${missedShare(seen)}`,
  ]
}

function remainingSection(summary: Summary, config: Config): SummarySection {
  const { queued, reason } = summary
  if (queued === 0 || skipsWaiting(summary, config)) return ['Left']
  return ['Left', `${countOf(queued, 'URL')} not fetched yet`, resumeHint(reason, config)]
}

/** Returns how a later run fetches the remaining URLs. With `--state`, `--max-pages` counts the visits of all runs. */
function resumeHint(reason: Summary['reason'], config: Config): string {
  if (!isKept(config)) return 'not kept: with --state <dir> the same command would go on with them'
  const isUsedUp = config.state !== undefined && reason === 'max-pages'
  return `the same command continues with them${isUsedUp ? ' if you raise or drop --max-pages' : ''}`
}

/** Lists seeds that failed. If no seed got a response, the command itself reports that. */
function seedsSection(
  { seedErrors, seedFailures, ...summary }: Summary,
  config: Config,
): SummarySection {
  const { seedsAnswered, seedRefusal } = summary
  const listed = seedsAnswered === 0 ? [] : [...seedFailures, ...seedErrors].slice(0, MAX_LISTED)
  const advice = seedRefusal === undefined ? [] : [refusalAdvice(seedRefusal, config)]
  return ['Seeds', ...listed.map(({ url, reason }) => `${url}: ${reason}`), ...advice]
}

/** Returns a line for each count, the greatest first. */
function countLines(rows: readonly (readonly [string, number])[]): string[] {
  const sorted = rows.toSorted(([, a], [, b]) => b - a)
  const width = Math.max(0, ...sorted.map(([, times]) => formatCount(times).length))
  return sorted.map(([name, times]) => `${formatCount(times).padStart(width)}  ${name}`)
}
