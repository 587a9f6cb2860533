import { XML_HEAD, xmlText } from '../../encoding/escape-xml.ts'
import type { LinkFinding } from './link-findings.ts'
import { outcomeText } from './outcome-text.ts'

const CHECK = 'crawl check'

/** The reason why a check is incomplete, or could not start. */
export interface CheckError {
  /** The URL of a seed, or the name of the check. */
  readonly name: string
  readonly type: 'interrupted' | 'seed'
  readonly message: string
}

/** The results of a check. */
export interface CheckResults {
  readonly findings: Iterable<LinkFinding>
  readonly errors: readonly CheckError[]
  /** Number of checked links and pages, in words. */
  readonly total: string
}

/**
 * Generates findings as JUnit XML for CI servers: one suite per page with findings, one failed test
 * per link, and a suite of errors. If there are no findings and no errors, the only test passes.
 */
export function* junitXml({ findings, errors, total }: CheckResults): Generator<string> {
  yield `${XML_HEAD}<testsuites name="${CHECK}">\n`
  let suite: LinkFinding[] = []
  for (const finding of findings) {
    if (suite[0] !== undefined && suite[0].from !== finding.from) {
      yield testSuite(suite)
      suite = []
    }
    suite.push(finding)
  }
  if (suite.length > 0) yield testSuite(suite)
  if (errors.length > 0) yield errorSuite(errors)
  else if (suite.length === 0) yield passedSuite(total)
  yield '</testsuites>\n'
}

function passedSuite(total: string): string {
  return `  <testsuite name="links" tests="1" failures="0">\n    <testcase classname="links" name="${xmlText(total)}"/>\n  </testsuite>\n`
}

function errorSuite(errors: readonly CheckError[]): string {
  const cases = errors.map(
    ({ name, type, message }) =>
      `    <testcase classname="${CHECK}" name="${xmlText(name)}">\n` +
      `      <error type="${type}" message="${xmlText(message)}"/>\n    </testcase>\n`,
  )
  const head = `  <testsuite name="${CHECK}" tests="${errors.length}" failures="0" errors="${errors.length}">\n`
  return `${head}${cases.join('')}  </testsuite>\n`
}

function testSuite(findings: readonly LinkFinding[]): string {
  const page = xmlText(findings[0]?.from ?? '')
  const count = findings.length
  const cases = findings.map(
    (finding) =>
      `    <testcase classname="${page}" name="${xmlText(finding.to)}">\n` +
      `      <failure type="${finding.problem}" message="${xmlText(outcomeText(finding))}"/>\n    </testcase>\n`,
  )
  const head = `  <testsuite name="${page}" tests="${count}" failures="${count}">\n`
  return `${head}${cases.join('')}  </testsuite>\n`
}
