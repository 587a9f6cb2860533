import type { Config } from '../../config/schema.ts'
import type { Summary } from '../../crawl/stats/stats.ts'
import { replaceControls } from '../../printable-text.ts'
import { flow } from './columns.ts'
import { problemsOf } from './frame.ts'
import { chance, count, counted, duration, percent, rate, size } from './number-text.ts'
import { SKIP_WORDS } from './skip-words.ts'

/** A section of the summary: its title and lines. */
type SummaryPart = readonly [title: string, ...lines: string[]]

const ENDINGS: Readonly<Record<Summary['reason'], string>> = {
  finished: 'Finished',
  'max-pages': 'Ended by --max-pages',
  'max-time': 'Ended by --max-time',
  stopped: 'Stopped',
  'output-closed': 'Ended, for the reader of the output has gone',
}

/** Maximum number of traps, hosts and seeds that are listed. */
const NAMED = 5
const TITLE = 10
const WIDEST = 120

/**
 * Summarizes a finished crawl: what was found, what failed, what was skipped and why, its speed,
 * and the losses of the seen set.
 * @param columns of the terminal
 */
export function summaryText(summary: Summary, config: Config, columns: number): string {
  const width = Math.min(columns - 1, WIDEST)
  const { reason, elapsedMs, visits, bytes, hosts, rss } = summary
  const speed = rate(elapsedMs > 0 ? (visits * 1_000) / elapsedMs : 0)
  const pages = `${ENDINGS[reason]} after ${duration(elapsedMs)}: ${counted(visits, 'page')} on ${counted(hosts, 'host')}`
  const head = [pages, `${speed}/s`, `${size(bytes)} read`, `${size(rss)} of memory`]
  const parts = [
    foundOf(summary),
    failedOf(summary),
    skippedOf(summary, config),
    trapsOf(summary),
    givenUpOf(summary, config),
    lossesOf(summary),
    leftOf(summary),
    seedsOf(summary),
  ]
  const lines = parts.flatMap((part) => linesOf(part, width))
  return `${[...flow(head, width), ...lines].join('\n')}\n`
}

/** Wraps long lines, so that URLs are shown in full. */
function linesOf([title, ...texts]: SummaryPart, width: number): string[] {
  const lines = texts.flatMap((text) => wrapped(replaceControls(text), width - TITLE))
  return lines.map((line, at) => (at === 0 ? title : '').padEnd(TITLE) + line)
}

/** Wraps a text between words where there are any. */
function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(/(?<= )/)) {
    const longer = `${lines.at(-1)}${word}`
    if (longer.trimEnd().length <= width || longer === word) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => line.trimEnd())
}

function foundOf({ statuses }: Summary): SummaryPart {
  return ['Found', ...tableOf(Object.entries(statuses).filter(([status]) => Number(status) < 400))]
}

function failedOf(summary: Summary): SummaryPart {
  const refused = Object.entries(summary.statuses).filter(([status]) => Number(status) >= 400)
  if (problemsOf(summary) === 0) return ['Failed', 'nothing']
  const retried =
    summary.retries === 0 ? [] : [`after ${counted(summary.retries, 'further attempt')}`]
  return ['Failed', ...tableOf([...refused, ...Object.entries(summary.errors)]), ...retried]
}

function skippedOf({ skipped }: Summary, config: Config): SummaryPart {
  const rows = Object.entries(skipped).map(([reason, times]): [string, number] => [
    SKIP_WORDS[reason] ?? reason,
    times,
  ])
  const isAsked = rows.length > 0 && config.skipped === undefined
  const hint = isAsked ? ['--skipped <file> tells them all, each with its reason'] : []
  return ['Skipped', ...tableOf(rows), ...hint]
}

function trapsOf({ traps }: Summary): SummaryPart {
  const greatest = traps.toSorted((a, b) => b.dropped - a.dropped).slice(0, NAMED)
  return [
    'Traps',
    ...greatest.map(
      ({ pattern, dropped, example }) =>
        `${pattern}: ${count(dropped)} URLs left out, such as ${example}`,
    ),
  ]
}

function givenUpOf({ givenUp: { first, count: all } }: Summary, { state }: Config): SummaryPart {
  const named = first.slice(0, NAMED)
  const lines = named.map(({ key, reason, waiting }) => {
    return `${key}, with ${counted(waiting, 'URL')}: ${reason}`
  })
  const rest = all > named.length ? [`${counted(all - named.length, 'more host')}`] : []
  const hint = state !== undefined && all > 0 ? ['--retry-failed visits their URLs later'] : []
  return ['Given up', ...lines, ...rest, ...hint]
}

/** Reports new URLs that the seen set may have taken for known ones. */
function lossesOf({ seen }: Summary): SummaryPart {
  const { added, fill, falsePositiveRate, expectedLost, audit } = seen
  const checked =
    audit === undefined ? '' : `; of ${count(audit.sampled)} checked, ${count(audit.mistakes)}`
  return [
    'Lost',
    `${expectedLost.toFixed(1)} of ${count(added)} URLs by the seen set, as computed${checked}`,
    `it is ${percent(fill)} full, and takes ${chance(falsePositiveRate)} of new URLs for known ones`,
  ]
}

function leftOf({ queued, skipped }: Summary): SummaryPart {
  const isTold = (skipped['limit'] ?? 0) >= queued
  return ['Left', ...(isTold ? [] : [`${counted(queued, 'URL')} not fetched yet`])]
}

/** If no seed was answered, the command itself reports that. */
function seedsOf({ seedFailures, seedsAnswered }: Summary): SummaryPart {
  const told = seedsAnswered === 0 ? [] : seedFailures.slice(0, NAMED)
  return ['Seeds', ...told.map(({ url, reason }) => `${url}: ${reason}`)]
}

/** Most frequent first. */
function tableOf(rows: readonly (readonly [string, number])[]): string[] {
  const sorted = rows.toSorted(([, a], [, b]) => b - a)
  const width = Math.max(0, ...sorted.map(([, times]) => count(times).length))
  return sorted.map(([name, times]) => `${count(times).padStart(width)}  ${name}`)
}
