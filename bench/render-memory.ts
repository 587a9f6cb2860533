// Renders many pages in one crawl, and prints the memory of the crawler and of the browser during the crawl.
// node bench/render-memory.ts [pages], after `npm run build`.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { listen } from '../test/support/listen.ts'
import { crawlScript } from './measure/crawl-process.ts'
import { descendantsOf, proportionalMemoryOf } from './measure/processes.ts'

const PAGES = Number(process.argv[2] ?? 10_000)
const LINKS = 10

/** Returns a page that builds its links and some content by script, and retains some memory. */
function page(n: number): string {
  const links = Array.from({ length: LINKS }, (_, k) => n * LINKS + k + 1).filter((m) => m < PAGES)
  return `<!DOCTYPE html><title>${n}</title><body><script src=/app.js></script><script>
    show(${JSON.stringify(links)}); self.kept = new Array(1e5).fill(${n})
    document.cookie = 'n${n}=1'; localStorage['n${n}'] = 'x'.repeat(100); history.pushState(1, '')
  </script>`
}

const APP = `function show(links) {
  document.body.append(...links.map((n) => Object.assign(document.createElement('a'), { href: '/' + n, textContent: n })))
  document.body.insertAdjacentHTML('beforeend', '<p>' + 'text '.repeat(200) + '</p>')
  fetch('/data.json').then((r) => r.json()).then((data) => { document.title += data.title })
}`

const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/app.js') response.setHeader('content-type', 'text/javascript').end(APP)
  else if (path === '/data.json')
    response.setHeader('content-type', 'application/json').end('{"title":"!"}')
  else if (path === '/robots.txt') response.writeHead(404).end()
  else response.setHeader('content-type', 'text/html').end(page(Number(path.slice(1))))
})
const port = await listen(server)

/** Returns the bytes of memory of a process, and of all processes that it has started. */
function memoryOf(root: number): { readonly crawler: number; readonly browser: number } {
  const browser = descendantsOf(root).reduce((sum, pid) => sum + proportionalMemoryOf(pid), 0)
  return { crawler: proportionalMemoryOf(root), browser }
}

const options = [
  ...['--render', 'always', '-d', '100', '--no-traps', '--log-level', 'warn', '--per-host', '32'],
]
const crawl = spawn(process.execPath, [crawlScript, `http://127.0.0.1:${port}/0`, ...options], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const started = performance.now()
let visits = 0
let rendered = 0
const samples: { visits: number; crawler: number; browser: number }[] = []
setInterval(() => samples.push({ visits, ...memoryOf(crawl.pid ?? 0) }), 1_000).unref()
for await (const line of createInterface({ input: crawl.stdout })) {
  visits++
  if (JSON.parse(line).rendered === true) rendered++
}
server.close()

const mean = (from: number, to: number, of: 'crawler' | 'browser') => {
  const some = samples.filter((each) => each.visits >= from && each.visits < to)
  return Math.round(some.reduce((sum, each) => sum + each[of], 0) / some.length / 2 ** 20)
}
const step = PAGES / 10
for (let from = 0; from < PAGES; from += step) {
  const [crawler, browser] = [
    mean(from, from + step, 'crawler'),
    mean(from, from + step, 'browser'),
  ]
  console.log(
    `${from} to ${from + step} pages: crawler ${crawler} MiB, browser ${browser} MiB (mean)`,
  )
}
const seconds = (performance.now() - started) / 1_000
const { userCPUTime, systemCPUTime } = process.resourceUsage()
console.log(
  `${visits} visits, ${rendered} rendered in ${seconds.toFixed(0)} s; this process took ${((userCPUTime + systemCPUTime) / 1e6).toFixed(0)} s of CPU`,
)
