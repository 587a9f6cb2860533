import { readFileSync } from 'node:fs'
import { parseJson } from '../../config/config-file.ts'
import { CrawlerError, foundInstead } from '../../errors.ts'

const EXPECTED = 'the output of `crawl check -f json`'

/** The kind of a problem, the page with the link, and the URL of the link. */
interface NamedProblem {
  readonly problem: string
  readonly from: string
  readonly to: string
}

/** The problems that an earlier check found. */
export class Baseline {
  readonly #keys: ReadonlySet<string>

  /**
   * @param file output of `crawl check -f json`
   * @throws CrawlerError('usage')
   */
  constructor(file: string) {
    const report = parseJson(read(file), file)
    if (!isReport(report)) throw new CrawlerError('usage', `${file}: expected ${EXPECTED}`)
    this.#keys = new Set(report.findings.map(keyOf))
  }

  /** Returns whether the same link had the same problem, whatever its status. */
  has(problem: NamedProblem): boolean {
    return this.#keys.has(keyOf(problem))
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CrawlerError('usage', `${file}: expected ${EXPECTED}, got ${foundInstead(error)}`)
  }
}

function isReport(value: unknown): value is { readonly findings: readonly NamedProblem[] } {
  const { findings }: { readonly findings?: unknown } = Object(value)
  return Array.isArray(findings) && findings.every(isProblem)
}

function isProblem(value: unknown): value is NamedProblem {
  const { problem, from, to }: Record<string, unknown> = Object(value)
  return [problem, from, to].every((text) => typeof text === 'string')
}

/** A page's URL has no space, so the parts can't be confused. */
function keyOf({ problem, from, to }: NamedProblem): string {
  return `${problem} ${from} ${to}`
}
