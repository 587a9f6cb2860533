// Renders 54 hostile pages, and reports what they reached: node bench/hostile-render.ts, after `npm run build`.
// All servers are on loopback. The seed's host may be reached. The victim's 127.0.0.2 is an ordinary private address.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../test/support/listen.ts'
import { crawlScript } from './measure/crawl-process.ts'

/** Milliseconds between two requests to the site. */
const DELAY = 20

const reached: string[] = []
const victim = createTcpServer((socket) => {
  socket.once('data', (data) => reached.push(String(data).split('\r\n', 1)[0] ?? ''))
  socket.on('error', () => {})
  reached.push('a connection')
})
const victimPort = await listen(victim, '127.0.0.2')
const local = createTcpServer((socket) => reached.push(`localhost: ${socket.destroy().remotePort}`))
const localPort = await listen(local)
// Represents the public address of names that have a private address at other times: measure/changing-names.ts.
const publicly: string[] = []
const standIn = createServer((request, response) => {
  publicly.push(request.url ?? '')
  response.writeHead(200, { 'content-type': 'text/javascript', connection: 'close' }).end('1')
})
standIn.listen(victimPort, '127.0.0.3')
const datagrams = createSocket('udp4', (data) => reached.push(`a datagram of ${data.length} bytes`))
datagrams.bind(victimPort, '127.0.0.2')
const secret = join(mkdtempSync(join(tmpdir(), 'hostile-')), 'secret.html')
writeFileSync(secret, '<a href=/stolen>secret</a>')

const V = `127.0.0.2:${victimPort}`
const script = (code: string) => `<script>${code}</script>`
const PAGES: readonly string[] = [
  // Requests to private addresses, by every way to make a request.
  script(`fetch('http://${V}/fetch', { mode: 'no-cors' })`),
  script(`new XMLHttpRequest().open('GET', 'http://${V}/xhr')`),
  script(
    `const x = new XMLHttpRequest(); x.open('GET', 'http://${V}/xhr', false); try { x.send() } catch {}`,
  ),
  `<script src=http://${V}/script.js></script><link rel=stylesheet href=http://${V}/style.css>`,
  `<iframe src=http://${V}/frame></iframe><embed src=http://${V}/embed><object data=http://${V}/object></object>`,
  `<img src=http://${V}/img><video src=http://${V}/video autoplay></video><audio src=http://${V}/audio autoplay></audio>`,
  script(`location = 'http://${V}/location'`),
  `<meta http-equiv=refresh content="0;url=http://${V}/refresh">`,
  `<form id=f method=post action=http://${V}/form><input name=a></form>${script('f.submit()')}`,
  `<form id=f action=http://${V}/form><input name=a></form>${script('f.requestSubmit()')}`,
  script(`navigator.sendBeacon('http://${V}/beacon', 'x'); new Image().src = 'http://${V}/i'`),
  script(`new EventSource('http://${V}/events')`),
  script(`new WebSocket('ws://${V}/'); new WebSocket('ws://localhost:${localPort}/')`),
  script(
    `new Worker(URL.createObjectURL(new Blob(["fetch('http://${V}/worker', { mode: 'no-cors' })"])))`,
  ),
  script(`new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://${V}/shared')"])))`),
  script(`navigator.serviceWorker?.register('/sw.js'); fetch('/sw-probe')`),
  script(`const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${V}' }, { urls: 'turn:${V}', username: 'a', credential: 'b' }] })
    p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o))`),
  script(`if (self.WebTransport) new WebTransport('https://${V}/').closed.catch(() => {})`),
  `<link rel=preconnect href=http://${V}><link rel=dns-prefetch href=http://${V}><link rel=prefetch href=http://${V}/prefetch>`,
  `<link rel=preload as=script href=http://${V}/preload><link rel=modulepreload href=http://${V}/module><link rel=prerender href=http://${V}/pre>`,
  `<script type=speculationrules>{"prerender":[{"source":"list","urls":["http://${V}/spec"]}],"prefetch":[{"urls":["/forbidden/spec"]}]}</script>`,
  `<a ping=http://${V}/ping href=/ id=a>x</a>${script('a.click()')}`,
  script(`open('http://${V}/open'); open('http://${V}/noopener', '_blank', 'noopener')`),
  `<a href=/big download id=a>x</a>${script('a.click()')}`,
  `<style>@import "http://${V}/import.css"; @font-face { font-family: f; src: url(http://${V}/font) } p { font-family: f; background: url(http://${V}/bg) }</style><p>x`,
  script(
    `for (const n of ['2130706434', '0x7f000002', '017700000002', '127.2', '[::ffff:127.0.0.2]']) fetch('http://' + n + ':${victimPort}/n', { mode: 'no-cors' })`,
  ),
  script(
    `fetch('http://localhost:${localPort}/'); fetch('http://a.localhost:${localPort}/'); fetch('http://[::1]:${localPort}/')`,
  ),
  '<script src=/redirect-private></script><iframe src=/redirect-private></iframe>',
  script(`fetch('/redirect-private'); fetch('/redirect-file').catch(() => {})`),
  // Names that resolve to a public address at one time, and to a private one at another.
  script(
    `for (let n = 0; n < 40; n++) fetch('http://turns-' + n + '.test:${victimPort}/' + n, { mode: 'no-cors' })`,
  ),
  script(
    `let n = 0; setInterval(() => fetch('http://turning.test:${victimPort}/' + n++, { mode: 'no-cors' }), 100)`,
  ),
  `<script src=http://mixed-1.test:${victimPort}/m.js></script><iframe src=http://mixed-2.test:${victimPort}/m></iframe><iframe src=http://turns-x.test:${victimPort}/m></iframe>`,
  '<script src=/redirect-turning></script><iframe src=/redirect-turning></iframe>',
  // Files, and the browser's own pages.
  script(`location = 'file://${secret}'; fetch('file://${secret}')`),
  `<iframe src="file://${secret}"></iframe><script src="file:///etc/passwd"></script>`,
  script(
    `location = 'chrome://settings'; open('chrome://version'); location = 'view-source:http://${V}/'`,
  ),
  script(`location = 'data:text/html,<script>fetch("http://${V}/data")</script>'`),
  `<iframe src="data:text/html,<script>fetch('http://${V}/data', { mode: 'no-cors' })</script>"></iframe>`,
  script(
    `location = URL.createObjectURL(new Blob(['<script>fetch("http://${V}/blob", { mode: "no-cors" })<\\/script>'], { type: 'text/html' }))`,
  ),
  // Requests that robots.txt forbids, and too many requests.
  script(`fetch('/forbidden/1'); import('/forbidden/2.js').catch(() => {})`),
  '<script src=/forbidden/3.js></script><iframe src=/forbidden/4></iframe><link rel=stylesheet href=/forbidden/5.css>',
  script(`for (let n = 0; n < 60; n++) fetch('/flood/' + n)`),
  script(`let n = 0; setInterval(() => fetch('/endless/' + n++), 1)`),
  // Scripts that never end.
  script('for (;;);'),
  script(
    'setInterval(() => alert(1), 1); addEventListener("beforeunload", (e) => e.preventDefault())',
  ),
  script('for (;;) open("/popup" + Math.random())'),
  script('setInterval(() => { const end = Date.now() + 400; while (Date.now() < end); }, 1)'),
  script(
    'const all = []; for (;;) all.push(new ArrayBuffer(2 ** 26), new Uint8Array(2 ** 26).fill(1))',
  ),
  script('const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5))'),
  script(
    'const grow = () => { document.body.append(document.body.cloneNode(true)); setTimeout(grow) }; onload = grow',
  ),
  script(
    'let depth = 0; const nest = (d) => { const f = d.createElement("iframe"); d.body.append(f); if (depth++ < 1e4) nest(f.contentDocument) }; onload = () => nest(document)',
  ),
  script(
    'setInterval(() => { history.pushState(1, "", "/p" + Math.random()); location.hash = Math.random() }, 0)',
  ),
  script(
    'onload = () => { for (let n = 0; n < 200; n++) new Worker(URL.createObjectURL(new Blob(["for(;;);"]))) }',
  ),
  script(
    'document.write("<p>".repeat(2e6)); Array.prototype.map = Array.prototype.push = () => { throw 1 }; JSON.stringify = () => "no"; Object.defineProperty(Element.prototype, "shadowRoot", { get() { for (;;); } })',
  ),
]

const asked: { readonly url: string; readonly at: number }[] = []
let running = 0
let most = 0
let lastEnd = -Infinity
const gaps: number[] = []
const site = createServer((request, response) => {
  const url = request.url ?? ''
  const at = performance.now()
  asked.push({ url: `${request.method} ${url}`, at })
  gaps.push(at - lastEnd)
  most = Math.max(most, ++running)
  response.on('close', () => {
    running--
    lastEnd = performance.now()
  })
  const [, number] = /^\/page\/(\d+)$/.exec(url) ?? []
  response.setHeader('content-type', 'text/html')
  if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /forbidden')
  else if (url === '/') response.end(PAGES.map((_, n) => `<a href=/page/${n}>x</a>`).join(''))
  else if (url === '/redirect-private')
    response.writeHead(302, { location: `http://${V}/redirected` }).end()
  else if (url === '/redirect-turning')
    response.writeHead(302, { location: `http://redirected.test:${victimPort}/r` }).end()
  else if (url === '/redirect-file') response.writeHead(302, { location: `file://${secret}` }).end()
  else if (url === '/sw.js')
    response.setHeader('content-type', 'text/javascript').end(`fetch('http://${V}/sw')`)
  else if (number !== undefined)
    response.end(
      `<!DOCTYPE html><title>${number}</title><body><a href=/>home</a>${PAGES[Number(number)]}</body>`,
    )
  else response.end('x')
})
const sitePort = await listen(site)

/** Returns the number of browser processes that the crawl has left behind. */
function leftBehind(): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('orbweaver-browser-')
      )
    } catch {
      return false
    }
  }).length
}

const changingNames = new URL('./measure/changing-names.ts', import.meta.url).href
const options = [
  ...['--workers', '2', '--render', 'always', '--render-timeout', '3s', '-d', '1'],
  ...['--delay', `${DELAY}ms`, '--log-level', 'warn'],
]
const crawl = spawn(process.execPath, [crawlScript, `http://127.0.0.1:${sitePort}/`, ...options], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NODE_OPTIONS: `--import=${changingNames}` },
})
const started = performance.now()
let output = ''
crawl.stdout.on('data', (text) => {
  output += text
})
const [code] = await once(crawl, 'exit')
const visits = output
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const rendered = visits.filter((visit) => visit.rendered === true).length
const failed = visits.filter((visit) => visit.error !== undefined)
console.log(
  `${PAGES.length} hostile pages: exit code ${code} after ${((performance.now() - started) / 1_000).toFixed(0)} s, ${visits.length} visits, ${rendered} rendered`,
)
for (const { url, error } of failed)
  console.log(`  ${new URL(url).pathname}: ${error.code}: ${error.message}`)
const forbidden = asked.filter(({ url }) => url.includes('/forbidden'))
const others = asked.filter(({ url }) => !url.startsWith('GET '))
console.log(
  `reached at private addresses: ${reached.length === 0 ? 'nothing' : reached.join('; ')}`,
)
console.log(
  `forbidden by robots.txt: ${forbidden.length} requests; other methods than GET: ${others.length}`,
)
console.log(
  `requests to the site: ${asked.length}; most at a time: ${most}; shortest pause: ${Math.min(...gaps).toFixed(1)} ms of ${DELAY}`,
)
console.log(`processes left: ${leftBehind()}; stolen links: ${output.includes('stolen')}`)
console.log(`requests to names while they were public: ${publicly.length}`)
for (const server of [victim, local, site, standIn]) server.close()
datagrams.close()
process.exit()
