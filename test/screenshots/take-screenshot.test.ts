import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'

const path = useFolder()
const RED = [255, 0, 0]
const BLUE = [0, 0, 255]

/** Returns a box that fills the width of a page. */
function box(height: number, color: string): string {
  return `<div style="height: ${height}px; background: ${color}"></div>`
}

/** Responds with an image of 64 blue pixels in a column. */
function blueImage(_: IncomingMessage, response: ServerResponse): void {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="64"><path fill="#00f" d="M0 0h9v64H0"/></svg>'
  response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg)
}

const START = '<body style="margin: 0">'
const SITE = {
  '/': `${START}${box(3_000, '#f00')}<img src=/blue.svg loading=lazy style="display: block">
    <a href=/tall>x</a><a href=/tall.png>x</a><a href=/missing>x</a>`,
  '/blue.svg': blueImage,
  '/tall': `${START}${box(200_000, '#f00')}<p style="width: 9000px">`,
  '/tall.png': `${START}<script>document.body.innerHTML = '${box(400, '#00f')}'</script>`,
}

/** Returns the chunks of a PNG with this name. */
function chunksOf(png: Buffer, name: string): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === name) chunks.push(png.subarray(at + 8, end))
    at = end + 4
  }
  return chunks
}

/** Reads the size of a PNG, and the color of the first pixel of each row. */
function readPng(file: string) {
  const png = readFileSync(file)
  const header = Buffer.concat(chunksOf(png, 'IHDR'))
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const bytes = inflateSync(Buffer.concat(chunksOf(png, 'IDAT')))
  const rowLength = bytes.length / height
  let above = [0, 0, 0]
  const colors = Array.from({ length: height }, (_, y) => {
    const row = bytes.subarray(y * rowLength)
    // The filters predict the first pixel of a row as nothing, half of the pixel above, or that pixel.
    const share = [0, 0, 1, 0.5, 1][row[0] ?? 0] ?? 0
    above = above.map((value, at) => ((row[at + 1] ?? 0) + Math.floor(value * share)) % 256)
    return above
  })
  return { width, height, colors }
}

it('--screenshots saves a screenshot of each rendered page, and its record names the file, even in a later run', async () => {
  const site = await serveSite(SITE)
  const shots = path('shots')
  const kept = ['--state', path('state'), '-o', path('a.jsonl'), '--screenshots', shots]
  const command = [`${site.url}/`, '-d', '1', '--render', 'always', ...kept]
  expect((await callCrawl([...command, '-q', '--max-pages', '2'])).code).toBe(0)
  const { code, stderr } = await callCrawl(command)
  expect(code).toBe(0)
  const visits = await visitsIn(path('a.jsonl'))
  const byPath = new Map(visits.map((visit) => [visit.url.slice(site.url.length), visit]))
  const host = new URL(site.url).host.replace(':', '+')
  const pngOf = (page: string) => readPng(`${shots}/${byPath.get(page)?.screenshot}`)

  expect(readdirSync(shots)).toEqual([host])
  expect(readdirSync(`${shots}/${host}`)).toEqual(['index.png', 'tall-2.png', 'tall.png'])
  expect(byPath.get('/')?.screenshot).toBe(`${host}/index.png`)
  const { colors, ...start } = pngOf('/')
  expect(start).toMatchObject({ width: 1_280 })
  expect([colors[0], colors[2_999], colors[3_000], colors[3_063]]).toEqual([RED, RED, BLUE, BLUE])

  const tall = pngOf('/tall')
  expect(tall).toMatchObject({ width: 1_280, height: 16_384 })
  expect(tall.colors.at(-1)).toEqual(RED)
  expect(byPath.get('/tall.png')?.screenshot).toBe(`${host}/tall-2.png`)
  expect(pngOf('/tall.png').colors[399]).toEqual(BLUE)

  expect(byPath.get('/missing')).not.toHaveProperty('screenshot')
  expect(stderr).toContain('"screenshots":{"taken":3,"missing":0}')
})
