import { Parser } from 'htmlparser2'
import { expect, it } from 'vitest'
import { junitXml } from '../../../src/inspect/check/junit.ts'
import type { LinkFinding } from '../../../src/inspect/check/link-findings.ts'

/** Returns the elements of a document and their attributes, read by an XML parser. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string> }[] {
  const elements: { name: string; attributes: Record<string, string> }[] = []
  const onopentag = (name: string, attributes: Record<string, string>) =>
    elements.push({ name, attributes: { ...attributes } })
  const parser = new Parser({ onopentag }, { xmlMode: true })
  parser.end(xml)
  return elements
}

it('JUnit XML has a suite per page and a failed test per link, with any text', () => {
  const findings: LinkFinding[] = [
    { problem: 'broken', from: 'http://a.test/', to: 'http://a.test/?x&y="<1>', status: 404 },
    { problem: 'fragment', from: 'http://a.test/', to: 'http://a.test/b#c', status: 200 },
    {
      ...({ problem: 'broken', from: 'http://a.test/b', to: 'http://x\u0000\ud800' } as const),
      error: { code: 'dns-failure', message: 'no such host' },
    },
  ]
  const xml = [...junitXml({ findings, errors: [], total: '9 links' })].join('')
  expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')).toBe(true)
  expect(
    elementsOf(xml).map(({ name, attributes }) => [name, ...Object.values(attributes)]),
  ).toEqual([
    ['testsuites', 'crawl check'],
    ['testsuite', 'http://a.test/', '2', '2'],
    ['testcase', 'http://a.test/', 'http://a.test/?x&y="<1>'],
    ['failure', 'broken', '404 Not Found'],
    ['testcase', 'http://a.test/', 'http://a.test/b#c'],
    ['failure', 'fragment', 'no such fragment in the page'],
    ['testsuite', 'http://a.test/b', '1', '1'],
    ['testcase', 'http://a.test/b', 'http://x\ufffd\ufffd'],
    ['failure', 'broken', 'dns-failure: no such host'],
  ])
})

it('JUnit XML has one passed test if nothing is wrong', () => {
  expect(
    elementsOf([...junitXml({ findings: [], errors: [], total: '9 links' })].join('')).at(-1),
  ).toEqual({
    name: 'testcase',
    attributes: { classname: 'links', name: '9 links' },
  })
})
