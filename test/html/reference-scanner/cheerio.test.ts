import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
// The TextDecoder of Node 22 treats windows-1252 as Latin-1.
import { TextDecoder } from '@exodus/bytes/encoding.js'
import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { scanPage } from '../../../src/html/reference-scanner/scan-page.ts'

const site = fileURLToPath(new URL('../../../fixtures/site/', import.meta.url))
const pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .sort()

describe('the reference scanner', () => {
  it.each(pages)('finds the same links as cheerio in %s', (name) => {
    const body = readFileSync(site + name)
    const { page, charset } = scanPage(body, undefined, { maxLinks: 1_000 })
    const $ = load(new TextDecoder(charset).decode(body))
    const hrefs = $('a[href], area[href]')
      .get()
      .map((element) => $(element).attr('href'))
    expect([...page.outlinks].map(({ href }) => href)).toEqual(hrefs)
    expect(page.title).toBe($('head > title').first().text().trim().replace(/\s+/g, ' '))
  })
})
