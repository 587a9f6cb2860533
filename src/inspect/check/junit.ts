import { XML_HEAD, xmlText } from '../../encoding/escape-xml.ts'
import type { LinkFinding } from './link-findings.ts'
import { outcomeText } from './outcome-text.ts'

/**
 * Generates findings as JUnit XML for CI servers: one suite per page with findings, one failed test
 * per link. Without findings there is one test, which passed.
 * @param total number of checked links and pages, in words
 */
export function* junitXml(findings: Iterable<LinkFinding>, total: string): Generator<string> {
  yield `${XML_HEAD}<testsuites name="crawl check">\n`
  let suite: LinkFinding[] = []
  for (const finding of findings) {
    if (suite[0] !== undefined && suite[0].from !== finding.from) {
      yield testSuite(suite)
      suite = []
    }
    suite.push(finding)
  }
  if (suite.length > 0) yield testSuite(suite)
  else {
    yield `  <testsuite name="links" tests="1" failures="0">\n    <testcase classname="links" name="${xmlText(total)}"/>\n  </testsuite>\n`
  }
  yield '</testsuites>\n'
}

function testSuite(findings: readonly LinkFinding[]): string {
  const page = xmlText(findings[0]?.from ?? '')
  const count = findings.length
  const cases = findings.map(({ to, ...finding }) => {
    const message = xmlText(outcomeText({ to, ...finding }))
    return (
      `    <testcase classname="${page}" name="${xmlText(to)}">\n` +
      `      <failure type="${finding.problem}" message="${message}"/>\n    </testcase>\n`
    )
  })
  const head = `  <testsuite name="${page}" tests="${count}" failures="${count}">\n`
  return `${head}${cases.join('')}  </testsuite>\n`
}
