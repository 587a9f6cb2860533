import type { SkipReason } from '../../records/skip.ts'
import { REPORT, REPORT_OPTION, REPORT_SHIFT } from './layout/codes.ts'
import { CONTROL } from './layout/records.ts'
import type { ScannerMemory } from './scanner-memory.ts'
import type { TargetTable } from './target-table.ts'

/** Options that determine which of a page's links are reported. */
export interface ReportOptions {
  /** The depth of the links. */
  readonly depth: number
  /** True to obey `rel=nofollow`. */
  readonly heedsNofollow?: boolean
  /** True if the page forbids following any of its links. */
  readonly nofollow?: boolean
  /** True to report links outside of the scope regardless of their `rel`. */
  readonly external?: boolean
  /** True to report all links, including those that are marked as known or as reported before. */
  readonly all?: boolean
  /** True if the page is at the depth limit. */
  readonly isAtDepthLimit?: boolean
  /** True to report a known URL if no earlier page had a link to it at this depth or less. */
  readonly nearer?: boolean
  /** True to report all links in the scope that may be followed, because the frontier keeps them. */
  readonly keep?: boolean
}

/** A URL that is not followed, or an href that can't be resolved to a URL. */
export interface Skipped {
  readonly target: number
  readonly reason: SkipReason
}

/** The reported URLs of a page's links, as numbers of the target table: each once, in page order. */
export interface LinkReport {
  /** URLs in the scope that are not marked as known. */
  readonly links: readonly number[]
  /** Known URLs to which no earlier page had a link at this depth or less. */
  readonly nearer: readonly number[]
  /** All URLs in the scope that may be followed, known or not; undefined without the option `keep`. */
  readonly kept: readonly number[] | undefined
  /** URLs that are not followed, and not marked as reported before. */
  readonly skips: readonly Skipped[]
  /** Assets in the scope. */
  readonly assets: readonly number[]
  readonly assetSkips: readonly Skipped[]
  /** Number of URLs in the scope that may be followed. */
  readonly followed: number
  /** Number of those that are known. */
  readonly known: number
}

/** Encodes the options as bits for the module. */
export function optionBits(options: ReportOptions): number {
  const { heedsNofollow, nofollow, external, all, isAtDepthLimit, nearer, keep } = options
  return (
    (heedsNofollow ? REPORT_OPTION.heedsNofollow : 0) |
    (nofollow ? REPORT_OPTION.pageNofollow : 0) |
    (external ? REPORT_OPTION.external : 0) |
    (all ? REPORT_OPTION.all : 0) |
    (isAtDepthLimit ? REPORT_OPTION.atDepthLimit : 0) |
    (nearer ? REPORT_OPTION.nearer : 0) |
    (keep ? REPORT_OPTION.keep : 0)
  )
}

const NUMBER = 2 ** REPORT_SHIFT - 1

/** Reads the module's report from memory. */
export function readReport(
  { control, reports }: ScannerMemory,
  targets: TargetTable,
  keep = false,
): LinkReport {
  const links: number[] = []
  const nearer: number[] = []
  const kept: number[] | undefined = keep ? [] : undefined
  const skips: Skipped[] = []
  const assets: number[] = []
  const assetSkips: Skipped[] = []
  const count = control[CONTROL.reportCount] ?? 0
  for (let index = 0; index < count; index++) {
    const report = reports[index] ?? 0
    const target = report & NUMBER
    const reason = targets.reasonOf(target) ?? 'out-of-scope'
    switch (report >>> REPORT_SHIFT) {
      case REPORT.link:
        links.push(target)
        kept?.push(target)
        break
      case REPORT.nearer:
        nearer.push(target)
        kept?.push(target)
        break
      case REPORT.kept:
        kept?.push(target)
        break
      case REPORT.skip:
        skips.push({ target, reason })
        break
      case REPORT.nofollow:
        skips.push({ target, reason: 'nofollow' })
        break
      case REPORT.asset:
        assets.push(target)
        break
      case REPORT.assetSkip:
        assetSkips.push({ target, reason })
    }
  }
  const followed = control[CONTROL.followedCount] ?? 0
  const known = control[CONTROL.knownCount] ?? 0
  return { links, nearer, kept, skips, assets, assetSkips, followed, known }
}
