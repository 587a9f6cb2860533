import { STATUS_CODES } from 'node:http'
import type { LinkFinding } from './links.ts'

/**
 * Findings in the XML of JUnit, as CI servers read it: a suite for each page that has one, a failed test
 * for each link. Without any there is one test, which passed.
 * @param total what was checked, in words
 */
export function* junitXml(findings: Iterable<LinkFinding>, total: string): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="crawl check">\n'
  let suite: LinkFinding[] = []
  let isSound = true
  for (const finding of findings) {
    isSound = false
    if (suite[0] !== undefined && suite[0].from !== finding.from) {
      yield suiteOf(suite)
      suite = []
    }
    suite.push(finding)
  }
  if (suite.length > 0) yield suiteOf(suite)
  if (isSound) {
    yield `  <testsuite name="links" tests="1" failures="0">\n    <testcase classname="links" name="${escaped(total)}"/>\n  </testsuite>\n`
  }
  yield '</testsuites>\n'
}

function suiteOf(findings: readonly LinkFinding[]): string {
  const page = escaped(findings[0]?.from ?? '')
  const count = findings.length
  const cases = findings.map(({ to, ...finding }) => {
    const message = escaped(outcomeText({ to, ...finding }))
    return (
      `    <testcase classname="${page}" name="${escaped(to)}">\n` +
      `      <failure type="${finding.problem}" message="${message}"/>\n    </testcase>\n`
    )
  })
  const head = `  <testsuite name="${page}" tests="${count}" failures="${count}">\n`
  return `${head}${cases.join('')}  </testsuite>\n`
}

/** What came of a link, in a few words. */
export function outcomeText(finding: LinkFinding): string {
  const { problem, status, finalStatus, error, redirectsTo } = finding
  if (problem === 'fragment') return 'no such fragment in the page'
  const end = error === undefined ? named(finalStatus ?? status) : `${error.code}: ${error.message}`
  if (redirectsTo === undefined) return end
  return problem === 'redirect' ? `${named(status)} to ${redirectsTo}` : `${end} at ${redirectsTo}`
}

/** A status with the name that it has in HTTP. */
function named(status = 0): string {
  const name = STATUS_CODES[status]
  return name === undefined ? String(status) : `${status} ${name}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Characters that XML 1.0 does not have are replaced. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
