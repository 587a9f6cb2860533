import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { htmlReport } from '../../src/inspect/report/html-report.ts'
import { type BrowserPage, startBrowser } from '../support/browser.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const on = (name: string) => `https://a.example/${name}`
const PAGES = 300

let browser: { page: BrowserPage; close: () => Promise<void> }
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Opens the report on a tree of pages, each with a link back to the seed and one that is missing. */
async function openGraph(): Promise<BrowserPage> {
  const visits = Array.from({ length: PAGES }, (_, at) => ({
    ...{ url: on(`${at}`), status: at === 7 ? 404 : 200, depth: Math.floor(Math.log2(at + 1)) },
    ...(at > 0 && { via: on(`${(at - 1) >> 1}`) }),
  }))
  const links = visits.map(({ url }) => ({ from: url, to: on('0#top') }))
  const lines = (values: readonly object[]) => values.map((each) => `${JSON.stringify(each)}\n`)
  await writeFile(path('visits.jsonl'), lines(visits).join(''))
  await writeFile(path('links.jsonl'), lines(links).join(''))
  const files = { visits: path('visits.jsonl'), links: path('links.jsonl') }
  await writeFile(path('report.html'), await htmlReport(files))
  await browser.page.open(path('report.html'))
  return browser.page
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
