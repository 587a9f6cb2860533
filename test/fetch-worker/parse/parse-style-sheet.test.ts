import { expect, it } from 'vitest'
import { LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { SeenCheck } from '../../../src/fetch-worker/links/seen-check.ts'
import { parseStyleSheet } from '../../../src/fetch-worker/parse/parse-style-sheet.ts'
import { ClaimLog } from '../../../src/messages/claim-log.ts'
import { defaultRules } from '../links/default-rules.ts'
import { setupFor } from '../visit-url.ts'

const SITE = 'http://127.0.0.1/'
const crawlUrl = {
  ...{ id: 1, url: SITE, depth: 0, sameDepthHops: 1, redirects: 0, attempt: 1, failures: 0 },
  ...({ hop: 'asset', keepLinks: false } as const),
}

async function urlsIn(body: Buffer, charset?: string): Promise<readonly string[]> {
  const { findings } = await parsed(body, charset)
  return findings.sameDepth.flatMap(({ urls }) => urls)
}

async function parsed(body: Buffer, charset?: string) {
  const setup = setupFor(SITE, {})
  const seenCheck = new SeenCheck(setup, new ClaimLog(setup.claims, () => {}))
  const tools = { filter: new LinkFilter(defaultRules(SITE)), linkGraph: undefined, seenCheck }
  const contentType = { type: 'text/css', ...(charset !== undefined && { charset }) }
  return parseStyleSheet(crawlUrl, { body, contentType }, tools)
}

const CSS = 'p { background: url(ü.png) }'

it.each([
  ['UTF-8', Buffer.from(CSS), undefined],
  ['the charset of its Content-Type', Buffer.from(CSS, 'latin1'), 'ISO-8859-1'],
  ['its @charset', Buffer.from(`@charset "windows-1252";${CSS}`, 'latin1'), undefined],
  ['its byte order mark', Buffer.from(`\ufeff${CSS}`, 'utf16le'), 'ISO-8859-1'],
  ['UTF-8 although it names UTF-16', Buffer.from(`@charset "utf-16";${CSS}`), 'no'],
])('a style sheet is read in %s', async (_, body, charset) => {
  expect(await urlsIn(body, charset)).toEqual([`${SITE}%C3%BC.png`])
})

it.each(['', 'url(x)'])('the encoding of the style sheet %j is reported', async (css) => {
  expect((await parsed(Buffer.from(`@charset "gbk";${css}`))).fields.charset).toBe('gbk')
})
