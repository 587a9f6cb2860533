import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveFixtureSite } from '../fixtures/server.ts'

// node build/pictures.ts: draws the pictures of the README, from a real crawl of the fixture site. It needs `script` (a
// terminal for the crawl), `chromium` (for the report) and `pngquant` (a palette makes its picture a third as large).

const path = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))
const COLUMNS = 92
/** Number of visit lines that are shown before the summary. */
const VISITS = 9
const FONT_PX = 14
const LINE_PX = 20
/** Colors by the code of their escape sequence. */
const COLORS: Readonly<Record<string, string>> = {
  ...{ 31: '#ec6a5e', 32: '#8fd18b', 33: '#f4bf4f', 36: '#7cc5d9' },
}

const site = await serveFixtureSite(8080)
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-pictures-'))
try {
  writeFileSync(path('docs/pictures/terminal.svg'), svgOf(await crawlAtTerminal()))
  await drawReport()
} finally {
  await site.close()
  rmSync(folder, { recursive: true })
}

/** Returns the lines that a crawl shows at a terminal, with their escape sequences. */
async function crawlAtTerminal(): Promise<string[]> {
  const crawl = `node ${path('bin/crawl.js')} ${site.url} -f line --no-progress -w 2`
  const shell = `stty cols ${COLUMNS} rows 60; exec ${crawl}`
  const { stdout } = await run('script', ['-qec', shell, '/dev/null'])
  const lines = stdout.split(/\r?\n/).filter((line) => line !== '')
  const end = lines.findIndex((line) => line.startsWith('Finished'))
  if (end < 0) throw new Error(`expected a summary, got ${stdout}`)
  const visits = lines.slice(0, end)
  return [
    `$ crawl ${site.url} -f line`,
    ...visits.slice(0, VISITS),
    `... ${visits.length - VISITS} more lines`,
    ...lines.slice(end),
  ]
}

/** Takes a picture of the report of a crawl. */
async function drawReport(): Promise<void> {
  const [visits, links, report] = ['visits.jsonl', 'links.jsonl', 'report.html'].map((name) => {
    return join(folder, name)
  })
  const bin = path('bin/crawl.js')
  await run('node', [bin, `${site.url}`, '-q', '-o', visits ?? '', '--links', links ?? ''])
  await run('node', [bin, 'report', visits ?? '', '--links', links ?? '', '-o', report ?? ''])
  const window = [
    '--window-size=1180,820',
    '--hide-scrollbars',
    `--user-data-dir=${folder}/browser`,
  ]
  const drawn = join(folder, 'report.png')
  const target = `--screenshot=${drawn}`
  // Chromium has no sandbox as root; the page is our own.
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', ...window, target]
  execFileSync('chromium', [...flags, `file://${report}`], { stdio: 'ignore' })
  const palette = ['--speed', '1', '--nofs', '--force', '--output']
  execFileSync('pngquant', [...palette, path('docs/pictures/report.png'), drawn])
}

/** Runs a command without blocking, since this process also serves the site. */
async function run(command: string, args: readonly string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(command, args, { env: { ...process.env, TERM: 'xterm' } })
}

/** Draws lines of a terminal, with the colors of their escape sequences. */
function svgOf(lines: readonly string[]): string {
  const width = COLUMNS * FONT_PX * 0.602 + 40
  const height = lines.length * LINE_PX + 64
  const texts = lines.map((line, row) => {
    return `<text x="20" y="${56 + row * LINE_PX}" xml:space="preserve">${spansOf(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${FONT_PX}" fill="#d8dee9" role="img" aria-label="A crawl at a terminal">
<rect width="100%" height="100%" rx="8" fill="#1d2330"/>
<circle cx="22" cy="20" r="6" fill="#ec6a5e"/><circle cx="42" cy="20" r="6" fill="#f4bf4f"/><circle cx="62" cy="20" r="6" fill="#61c554"/>
${texts.join('\n')}
</svg>
`
}

/** Converts the colors of a line to spans. */
function spansOf(line: string): string {
  const start = String.fromCharCode(27)
  const [first = '', ...pieces] = line.split(`${start}[`)
  const rest = pieces.map((piece) => {
    const [, code = '', text = ''] = /^(\d+)m(.*)$/s.exec(piece) ?? []
    const color = COLORS[code]
    return color === undefined ? escaped(text) : `<tspan fill="${color}">${escaped(text)}</tspan>`
  })
  return escaped(first) + rest.join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
