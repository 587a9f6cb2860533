import { expect, it } from 'vitest'
import type { LoadingFile } from '../../../src/fetch/content-type.ts'
import { LinkFilter } from '../../../src/fetch-worker/links/link-filter.ts'
import { SeenCheck } from '../../../src/fetch-worker/links/seen-check.ts'
import { parseAssetFile } from '../../../src/fetch-worker/parse/parse-asset-file.ts'
import { ClaimLog } from '../../../src/messages/claim-log.ts'
import { defaultRules } from '../links/default-rules.ts'
import { setupFor } from '../visit-url.ts'

const SITE = 'http://127.0.0.1/'
const crawlUrl = {
  ...{ id: 1, url: SITE, depth: 0, sameDepthHops: 1, redirects: 0, attempt: 1, failures: 0 },
  ...({ hop: 'asset', keepLinks: false } as const),
}

async function urlsIn(body: Buffer, charset?: string, kind?: LoadingFile) {
  const { findings } = await parsed(body, charset, kind)
  return findings.sameDepth.flatMap(({ urls }) => urls)
}

async function parsed(body: Buffer, charset?: string, kind: LoadingFile = 'style-sheet') {
  const setup = setupFor(SITE, {})
  const seenCheck = new SeenCheck(setup, new ClaimLog(setup.claims, () => {}))
  const tools = { filter: new LinkFilter(defaultRules(SITE)), linkGraph: undefined, seenCheck }
  const contentType = { type: 'any/type', ...(charset !== undefined && { charset }) }
  return parseAssetFile(kind, crawlUrl, { body, contentType }, tools)
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

const SCRIPT = `import './ü.js'`

it.each([
  ['UTF-8', Buffer.from(SCRIPT), undefined],
  ['the charset of its Content-Type', Buffer.from(SCRIPT, 'latin1'), 'ISO-8859-1'],
  ['its byte order mark', Buffer.from(`\ufeff${SCRIPT}`, 'utf16le'), 'ISO-8859-1'],
])('a script is read in %s', async (_, body, charset) => {
  expect(await urlsIn(body, charset, 'script')).toEqual([`${SITE}%C3%BC.js`])
})

it('the icons of a web app manifest are found', async () => {
  const manifest = JSON.stringify({ icons: [{ src: 'icon.png', sizes: '48x48' }] })
  expect(await urlsIn(Buffer.from(manifest), undefined, 'manifest')).toEqual([`${SITE}icon.png`])
})
