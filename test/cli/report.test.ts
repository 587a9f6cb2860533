import { readFile, stat, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeSample } from '../inspect/visit-sample.ts'
import { type BrowserPage, startBrowser } from '../support/browser.ts'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const on = (name: string) => `https://a.example/${name}`
const time = '2026-11-21T06:17:59.954Z'

let browser: { page: BrowserPage; close: () => Promise<void> }
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const report = (...args: string[]) =>
  callCrawl(['report', path('visits.jsonl'), '-o', path('report.html'), ...args])

async function write(visits: readonly object[]): Promise<void> {
  const lines = visits.map(
    (visit) => `${JSON.stringify({ depth: 1, hop: 'link', time, ...visit })}\n`,
  )
  await writeFile(path('visits.jsonl'), lines.join(''))
}

/** Creates the report and opens it. */
async function openReport(...args: string[]): Promise<BrowserPage> {
  expect(await report(...args)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  await browser.page.open(path('report.html'))
  return browser.page
}

/** Returns the texts of the cells of a table, row by row. For lists, returns those of the items. */
function rowsOf(page: BrowserPage, table: string): Promise<unknown> {
  return page.evaluate(
    `[...document.querySelectorAll('#table-${table} tbody tr')].map((row) =>
      [...row.cells].map((cell) => {
        const items = [...cell.querySelectorAll('li, .more, .rest')]
        return items.map((item) => item.textContent).join(' ') || cell.textContent
      }))`,
  )
}

const searchIn = (table: string, words: string) => `(() => {
  const input = document.querySelector('#table-${table} input')
  input.value = '${words}'
  input.dispatchEvent(new Event('input'))
})()`

describe('crawl report', () => {
  it('lists each broken link with the first page that has it, also through redirects', async () => {
    await write([
      { url: on(''), status: 200, hop: 'seed', depth: 0, title: 'Start' },
      { url: on('lost'), status: 404, via: on('') },
      { url: on('moved'), status: 301, redirectsTo: on('away'), via: on('') },
      { url: on('away'), status: 302, redirectsTo: on('void'), hop: 'redirect', via: on('moved') },
      { url: on('void'), status: 410, hop: 'redirect', via: on('away') },
      { url: on('slow'), error: { code: 'timeout', message: 'no answer' }, via: on('lost') },
      { url: on('round'), status: 301, redirectsTo: on('round'), via: on('') },
    ])
    const page = await openReport()
    expect(await rowsOf(page, 'broken')).toEqual([
      ['redirect-loop', on('round'), on('')],
      ['404', on('lost'), on('')],
      ['410', on('void'), `${on('')}via ${on('moved')} → ${on('away')}`],
      ['timeout', on('slow'), on('lost')],
    ])
    expect(await rowsOf(page, 'redirects')).toEqual([
      ['2', '301', on('moved'), `${on('away')} ${on('void')}`, '410'],
      ['1', '301', on('round'), on('round'), 'loop'],
    ])
    expect(await rowsOf(page, 'errors')).toEqual([
      ['timeout', '1', 'no answer', on('slow')],
      ['redirect-loop', '1', 'it redirects to itself', on('round')],
    ])
  })

  it('expands to the pages that link to a broken URL, and shows search hits first', async () => {
    // Tables of more than ten rows have a search field.
    const others = Array.from({ length: 10 }, (_, at) => ({ url: on(`${at}`), status: 410 }))
    await write([{ url: on('lost'), status: 404 }, ...others])
    const pages = Array.from({ length: 120 }, (_, at) => on(`page${at}`))
    const links = pages.map((from) => `${JSON.stringify({ from, to: on('lost'), text: '<b>' })}\n`)
    await writeFile(path('links.jsonl'), links.join(''))
    const page = await openReport('--links', path('links.jsonl'))
    const first = pages.slice(0, 3).map((url) => `${url} “<b>”`)
    const row = async () => ((await rowsOf(page, 'broken')) as string[][])[0]
    expect(await row()).toEqual(['404', on('lost'), '120', `${first.join(' ')} and 117 more`])
    await page.evaluate(`document.querySelector('.more').click()`)
    const all = (await row())?.[3]
    const named = pages.slice(0, 100).map((url) => `${url} “<b>”`)
    expect(all).toBe(`${named.join(' ')} and 20 more, not in this report`)
    expect(await page.evaluate('document.activeElement.href')).toBe(pages[3])
    await page.evaluate(searchIn('broken', 'PAGE99'))
    expect((await row())?.[3]).toBe(
      `${[pages[99], ...pages.slice(0, 2)].map((url) => `${url} “<b>”`).join(' ')} and 117 more`,
    )
  })

  it('runs no text of servers as a script, links to no script, and uses no network', async () => {
    const evil = `</script><script>document.title='owned'</script><img src=https://x.example/>"'`
    const script = 'javascript:document.title=1'
    await write([
      { url: script, status: 404, via: script, title: evil },
      { url: on(evil), status: 404, via: on(evil) },
      { url: on('1'), status: 200, title: evil, contentType: evil, ms: 1, bytes: 1 },
      { url: on('2'), status: 200, title: evil, contentType: evil, ms: 1, bytes: 1 },
      { url: on('3'), error: { code: evil, message: evil } },
    ])
    const page = await openReport()
    expect(await page.evaluate('document.title')).toBe('Crawl report: visits.jsonl')
    expect(await page.evaluate('[document.scripts.length, document.images.length]')).toEqual([2, 0])
    const links = `[...new Set([...document.links].map(({ protocol }) => protocol))].sort()`
    expect(await page.evaluate(links)).toEqual(['file:', 'https:'])
    expect(await rowsOf(page, 'titles')).toEqual([['2', evil, `${on('1')} ${on('2')}`]])
    expect(page.traces.requests.filter((url) => !url.startsWith('file:'))).toEqual([])
    expect(page.traces.complaints).toEqual([])
    const added = `document.body.append(Object.assign(document.createElement('script'),
      { textContent: 'document.title = "owned"' })); document.title`
    expect(await page.evaluate(added)).toBe('Crawl report: visits.jsonl')
  })

  it('has tables with sorting, search and pages, and stays small at 10,000 visits', async () => {
    writeSample(path('visits.jsonl'), 10_000)
    const page = await openReport()
    const elements = await page.evaluate('document.querySelectorAll("*").length')
    expect(elements).toBeLessThan(4_000)
    expect((await stat(path('report.html'))).size).toBeLessThan(3_000_000)
    const text = (selector: string) => `document.querySelector('${selector}').textContent`
    const found = text('#table-broken .pager span')
    const [, all = ''] = /^1–10 of ([\d,]+)$/.exec(String(await page.evaluate(found))) ?? []
    expect(await page.evaluate(text('#broken .total'))).toBe(all)
    await page.evaluate(`document.querySelector('#table-broken .pager button:last-child').click()`)
    expect(await page.evaluate(found)).toBe(`11–20 of ${all}`)
    await page.evaluate(searchIn('broken', '503 NEWS'))
    const hits = (await rowsOf(page, 'broken')) as string[][]
    expect(hits.length).toBeGreaterThan(0)
    expect(hits.every((row) => row[0] === '503' && row.join().includes('news'))).toBe(true)
    await page.evaluate(searchIn('broken', 'nowhere-at-all'))
    expect(await page.evaluate(found)).toBe('Nothing found')
    const sort = (column: number) =>
      `document.querySelectorAll('#table-slow th button')[${column}].click()`
    const first = async () => ((await rowsOf(page, 'slow')) as string[][])[0]?.[0]
    expect(await first()).toMatch(/^\d[\d.]* s$/)
    await page.evaluate(sort(0))
    const slowest = await first()
    await page.evaluate(sort(0))
    expect(await first()).not.toBe(slowest)
  })

  it('shows a report without visits, and one with a long URL', async () => {
    await write([])
    const page = await openReport()
    expect(await page.evaluate(`document.querySelector('.tile dd').textContent`)).toBe('0')
    expect(page.traces.complaints).toEqual([])
    const long = on('x'.repeat(1_000))
    await writeFile(path('visits.jsonl'), `{"url":"${long}","status":404}\n`)
    await openReport('--overwrite')
    const [text, ...whole] = (await page.evaluate(
      `[...document.querySelectorAll('a.url')].flatMap((link) => [link.text, link.title, link.href])`,
    )) as string[]
    expect([text?.length, ...whole]).toEqual([160, long, long])
  })
})

describe('the output of a report', () => {
  beforeEach(() => write([{ url: on(''), status: 200 }]))

  it('is stdout without -o', async () => {
    const { code, stdout } = await callCrawl(['report', path('visits.jsonl')])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^<!doctype html>[\s\S]+<\/html>\n$/)
  })

  it('is not replaced without --overwrite, and is kept if the input is invalid', async () => {
    await writeFile(path('report.html'), 'old')
    const refused = `crawl: ${path('report.html')}: expected a file that doesn't exist yet; --overwrite replaces it\n`
    expect(await report()).toMatchObject({ code: 2, stderr: refused })
    await writeFile(path('visits.jsonl'), '{}')
    const problem = `crawl: ${path('visits.jsonl')}: line 1: expected a visit, a JSON object with a \`url\`, got "{}"\n`
    expect(await report('--overwrite')).toMatchObject({ code: 2, stderr: problem })
    expect(await readFile(path('report.html'), 'utf8')).toBe('old')
  })

  it('causes exit code 5 if it cannot be written', async () => {
    const run = await callCrawl(['report', path('visits.jsonl'), '-o', path('no', 'report.html')])
    expect(run).toMatchObject({ code: 5, stdout: '' })
    expect(run.stderr).toContain(
      `${path('no', 'report.html')}: can't be written: its folder doesn't exist`,
    )
  })
})

/** Opens the report on a tree of pages, each with a link back to the seed and one that is missing. */
async function openGraph(): Promise<BrowserPage> {
  const visits = Array.from({ length: 300 }, (_, at) => ({
    ...{ url: on(`${at}`), status: at === 7 ? 404 : 200, depth: Math.floor(Math.log2(at + 1)) },
    ...(at > 0 && { via: on(`${(at - 1) >> 1}`) }),
  }))
  const links = visits.map(({ url }) => ({ from: url, to: on('0#top') }))
  await write(visits)
  await writeFile(path('links.jsonl'), links.map((link) => `${JSON.stringify(link)}\n`).join(''))
  return openReport('--links', path('links.jsonl'))
}

/** Waits until the pages have stopped moving, and the graph is drawn. */
const STILL = `new Promise((resolve) => {
  const look = () => document.querySelector('canvas')?.dataset.state === 'still'
    ? requestAnimationFrame(() => requestAnimationFrame(() => resolve())) : requestAnimationFrame(look)
  look()
})`
const SEARCH = (words: string) => `(() => {
  const input = document.querySelector('.bar input')
  input.value = '${words}'
  input.dispatchEvent(new Event('input'))
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
  return document.querySelector('.found').textContent
})()`
/** The details of the selected page, one line each. */
const DETAILS = `[...document.querySelectorAll('.details > *, .details li')]
  .filter(({ tagName }) => tagName !== 'UL').map(({ textContent }) => textContent)`
/** Checks whether the color in the middle of the canvas is that of a style variable. */
const MIDDLE_IS = (variable: string) => `(async () => {
  await ${STILL}
  const canvas = document.querySelector('canvas')
  const of = (brush, x, y) => [...brush.getImageData(x, y, 1, 1).data].join()
  const sample = new OffscreenCanvas(1, 1).getContext('2d')
  sample.fillStyle = getComputedStyle(canvas).getPropertyValue('${variable}').trim()
  sample.fillRect(0, 0, 1, 1)
  return of(canvas.getContext('2d'), canvas.width / 2, canvas.height / 2) === of(sample, 0, 0)
})()`

it('the link graph is drawn when it scrolls into view; its pages can be found and followed', async () => {
  const page = await openGraph()
  expect(await page.evaluate(`document.querySelector('canvas')`)).toBe(null)
  await page.evaluate(`document.querySelector('#graph').scrollIntoView(); ${STILL}`)

  expect(await page.evaluate(SEARCH('example/7 404'))).toBe('1 found; Enter shows the next one')
  expect(await page.evaluate(DETAILS)).toEqual([
    ...[on('7'), '404, 3 links deep', 'Links to 3', on('15'), on('16'), on('0')],
    ...['Linked from 1', on('3')],
  ])
  expect(page.traces.complaints).toEqual([])
  expect(await page.evaluate(MIDDLE_IS('--broken'))).toBe(true)

  await page.evaluate(`[...document.querySelectorAll('.details li button')].at(-1).click()`)
  expect(await page.evaluate(DETAILS)).toContain('200, 2 links deep')
  expect(await page.evaluate(MIDDLE_IS('--fine'))).toBe(true)
})

it('the link graph shows the page under the mouse, selects it on a click, deselects it on Escape', async () => {
  const page = await openGraph()
  await page.evaluate(`document.querySelector('#graph').scrollIntoView(); ${STILL}`)
  await page.evaluate(SEARCH('example/0'))
  await page.evaluate(STILL)
  const canvas = `document.querySelector('canvas')`
  const key = `${canvas}.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))`
  await page.evaluate(key)
  const [first] = (await page.evaluate(DETAILS)) as string[]
  expect(first).toContain('Choose a page')
  await page.evaluate(`${canvas}.scrollIntoView({ block: 'center' })`)
  const middle = `(({ left, top, width, height }) =>
    ({ x: left + width / 2, y: top + height / 2 }))(${canvas}.getBoundingClientRect())`
  const place = (await page.evaluate(middle)) as object
  const mouse = (type: string) =>
    page.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 })
  await mouse('mouseMoved')
  expect(await page.evaluate(`document.querySelector('.tip').textContent`)).toBe(`200  ${on('0')}`)
  await mouse('mousePressed')
  await mouse('mouseReleased')
  expect(((await page.evaluate(DETAILS)) as string[])[0]).toBe(on('0'))
})
