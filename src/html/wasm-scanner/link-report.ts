import type { SkipReason } from '../../records/skip.ts'
import { REPORT, REPORT_OPTION, REPORT_SHIFT } from './layout/codes.ts'
import { CONTROL } from './layout/records.ts'
import type { ScannerMemory } from './scanner-memory.ts'
import type { TargetTable } from './target-table.ts'

/** What of a page's links is to be reported. */
export interface ReportOptions {
  /** Where the links stand. */
  readonly depth: number
  /** True if `rel=nofollow` counts. */
  readonly heedsNofollow?: boolean
  /** The page asks not to follow any of its links. */
  readonly nofollow?: boolean
  /** Links out of the scope are reported, whatever their `rel` says. */
  readonly external?: boolean
  /** All are reported, also those that are known and those that were told. */
  readonly all?: boolean
  /** The page stands at the depth limit. */
  readonly isAtDepthLimit?: boolean
  /** Known URLs are reported if no page before named them at so small a depth. */
  readonly nearer?: boolean
}

/** A URL that is not followed, or an href that names none. */
export interface Skipped {
  readonly target: number
  readonly reason: SkipReason
}

/** What the links of a page name, by the numbers of the target table: each once, in page order. */
export interface LinkReport {
  /** URLs inside the scope that are not marked as known. */
  readonly links: readonly number[]
  /** Known URLs that no page before named at so small a depth. */
  readonly nearer: readonly number[]
  /** What is not followed and not marked as told. */
  readonly skips: readonly Skipped[]
  /** Assets inside the scope. */
  readonly assets: readonly number[]
  readonly assetSkips: readonly Skipped[]
  /** How many URLs inside the scope are named and may be followed, and how many of them are known. */
  readonly followed: number
  readonly known: number
}

/** The options as the module takes them. */
export function optionBits(options: ReportOptions): number {
  const { heedsNofollow, nofollow, external, all, isAtDepthLimit, nearer } = options
  return (
    (heedsNofollow ? REPORT_OPTION.heedsNofollow : 0) |
    (nofollow ? REPORT_OPTION.pageNofollow : 0) |
    (external ? REPORT_OPTION.external : 0) |
    (all ? REPORT_OPTION.all : 0) |
    (isAtDepthLimit ? REPORT_OPTION.atDepthLimit : 0) |
    (nearer ? REPORT_OPTION.nearer : 0)
  )
}

const NUMBER = 2 ** REPORT_SHIFT - 1

/** Reads what the module has reported. */
export function readReport({ control, reports }: ScannerMemory, targets: TargetTable): LinkReport {
  const links: number[] = []
  const nearer: number[] = []
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
        break
      case REPORT.nearer:
        nearer.push(target)
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
  return { links, nearer, skips, assets, assetSkips, followed, known }
}
