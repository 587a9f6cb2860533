import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findBrowser } from '../../src/render/browser/find-browser.ts'
import { PageRenderer } from '../../src/render/page-renderer.ts'
import type { TakeScreenshot } from '../../src/render/render-options.ts'
import type {
  ResourceHeaders,
  ResourceLoad,
  ResourceReply,
} from '../../src/render/rendered-page.ts'
import { screenshotTaker } from '../../src/screenshots/take-screenshot.ts'
import { listen } from '../support/listen.ts'
import { chosen } from '../support/soak.ts'
import { until } from '../support/until.ts'
import { browserProcesses } from './browser-processes.ts'

/** Files that pages load, by URL. */
type Files = Readonly<Record<string, string | (() => string | Promise<string>)>>

const HTML = { 'content-type': 'text/html' }
const QUICK = {
  browser: findBrowser(undefined),
  pages: 8,
  timeout: 3_000,
  maxHtml: 2 ** 20,
  interact: false,
  loadsImages: false,
}

let files: Files = {}
let loads: string[] = []
/** The URLs of requests across sites. */
let crossSite: string[] = []
/** The headers of the requests. */
let headers: ResourceHeaders[] = []

async function load({ url, headers: sent, isCrossSite }: ResourceLoad): Promise<ResourceReply> {
  loads.push(url)
  if (isCrossSite) crossSite.push(url)
  headers.push(sent)
  const file = files[url]
  if (file === undefined) return { refused: 'unknown' }
  const text = typeof file === 'string' ? file : await file()
  const type = /\.m?js$/.test(url) ? 'text/javascript' : 'text/html'
  return { status: 200, headers: { 'content-type': type }, body: Buffer.from(text) }
}

const options = { ...QUICK }
/** Starts with the first page. All tests share a browser. */
const renderer = new PageRenderer(options, load)
afterAll(() => renderer.close())

/** Renders a page, which may load some files. */
async function render(html: string, others: Files = {}, url = 'https://one.test/') {
  files = others
  loads = []
  headers = []
  crossSite = []
  const page = await renderer.render({ url, headers: HTML, body: Buffer.from(html) })
  const tree = Buffer.from(page.html).toString()
  return { ...page, tree, hrefs: page.links.map(({ href }) => href), loads }
}

/** Lets timers of a duration end earlier, so that a page computes for less time. */
function shortenTimers(long: number, short: number): void {
  const start = setTimeout
  const shortened = (callback: () => void, ms?: number) => start(callback, ms === long ? short : ms)
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(shortened as typeof setTimeout)
  onTestFinished(() => spy.mockRestore())
}

const script = (code: string) => `<!DOCTYPE html><body><script>${code}</script></body>`
const ADD = `const add = (href) => document.body.insertAdjacentHTML('beforeend', '<a href="' + href + '">x</a>');`

describe('a rendered page', () => {
  it('is the tree after its scripts have run, from the bytes that were fetched', async () => {
    const html = '<title>Old</title><script src=/late.js></script><body><p>Sent</p>'
    const late = `onload = () => { document.title = 'New'; ${ADD} add('added') }`
    const { tree, loads } = await render(html, { 'https://one.test/late.js': late })
    expect(tree).toContain('<title>New</title>')
    expect(tree).toContain('<p>Sent</p><a href="added">x</a>')
    expect(loads).toEqual(['https://one.test/late.js'])
  })

  it('has the links of open shadow roots, and of frames, even from other sites', async () => {
    const code = `document.body.attachShadow({ mode: 'open' }).innerHTML =
      '<a href="shadow" rel="nofollow">x</a><p></p>'
    document.body.shadowRoot.querySelector('p').attachShadow({ mode: 'open' }).innerHTML = '<a href="deep">'`
    const frames = `<iframe src=https://two.test/f></iframe><iframe srcdoc="<a href=inside>"></iframe>`
    const others = { 'https://two.test/f': `<body><script>${ADD} add('/framed')</script>` }
    const { links } = await render(script(code).replace('</body>', `${frames}</body>`), others)
    expect(links).toEqual([
      { href: 'https://one.test/shadow', rel: 'nofollow' },
      { href: 'https://one.test/deep' },
      ...[{ href: 'https://two.test/framed' }, { href: 'https://one.test/inside' }],
    ])
  })

  it('has the links of frames beside one that runs endlessly', async () => {
    shortenTimers(5_000, 2_000)
    const frames = ['two', 'three'].map(
      (name) => `<iframe src=https://${name}.test/beside></iframe>`,
    )
    const { hrefs } = await render(`<body>${frames.join('')}<script></script>`, {
      'https://two.test/beside': '<script>setTimeout(() => { for (;;); }, 200)</script>',
      'https://three.test/beside': '<a href=/here>x</a>',
    })
    expect(hrefs).toEqual(['https://three.test/here'])
  })

  it('has links to where its scripts navigate, and stays at its URL', async () => {
    const code = `history.pushState(null, '', '/pushed'); location.hash = 'part'; open('/window')
      open('/stranger', '_blank', 'noopener'); setTimeout(() => { location.href = '/gone' }, 50); ${ADD} add('here')`
    const { hrefs, tree, loads } = await render(script(code))
    const paths = ['pushed', 'pushed#part', 'window', 'stranger', 'gone']
    expect(hrefs).toEqual(paths.map((path) => `https://one.test/${path}`))
    expect(tree).toContain('here')
    expect(loads).toEqual([])
  })

  it('stays at its document if it steps back in a history that it has not made itself', async () => {
    const [back, late, own, loop] = [
      await render(`<p>one${script('history.back()')}`),
      await render(`<p>two${script('onload = () => { history.forward(); history.go(-2) }')}`),
      await render(
        `<p>three${script(`onpopstate = () => { document.title = 'back' }
          history.pushState(null, '', '/own'); history.back()`)}`,
      ),
      await render(
        `<p>four${script("setInterval(() => { history.pushState(0, ''); history.back(); history.back(); history.go(-1) }, 5)")}`,
      ),
    ]
    expect(back.tree).toContain('<p>one')
    expect(late.tree).toContain('<p>two')
    expect(own.tree).toContain('<title>back</title>')
    expect(loop.tree).toContain('<p>four')
  })

  it('fails if the browser has left it', async () => {
    await expect(render(script('location = "about:blank"'))).rejects.toThrow('left the page')
  })

  it('stays at its URL without TLS, as do the files that it loads and the pages that it navigates to', async () => {
    const code = `location.href = 'http://www.example.com/next'; ${ADD} add(location.href)`
    const html = `<head></head><body><script src=/s.js></script><script>${code}</script>`
    const { hrefs, tree, loads } = await render(html, {}, 'http://www.example.com/a')
    expect(tree).toContain('<a href="http://www.example.com/a">')
    expect(tree).not.toContain('<base')
    expect(hrefs).toEqual(['http://www.example.com/next'])
    expect(loads).toEqual(['http://www.example.com/s.js'])
  })

  it('gets a base element if it has changed its URL and has none', async () => {
    const push = `<script>history.pushState(null, '', '/deep/er/')</script>`
    const [moved, based] = [
      await render(`<head></head>${push}`),
      await render(`<base href=/x/>${push}`),
    ]
    expect(moved.tree).toContain('<head><base href="https://one.test/deep/er/">')
    expect(based.tree.match(/<base/g)).toHaveLength(1)
    const odd = await render(`<head></head>${push.replace('deep', 'R&lt;D')}`)
    expect(odd.tree).toContain('<base href="https://one.test/R&amp;lt;D/er/">')
  })

  it('is searched for its head in linear time, even with many unclosed tags', async () => {
    const tags = `<!--${'<base '.repeat(150_000)}${'<head '.repeat(20_000)}-->`
    const { tree } = await render(`${tags}<script>history.pushState(null, '', '/deep/')</script>`)
    expect(tree).toContain('<head><base href="https://one.test/deep/">')
  })

  it('waits for files that its scripts load, even if those are slow', async () => {
    const slow = async () => {
      await sleep(QUICK.timeout + 500)
      return `fetch('/more').then((r) => r.text()).then((href) => { ${ADD} add(href) })`
    }
    const others = { 'https://one.test/slow.js': slow, 'https://one.test/more': 'at-last' }
    const { tree } = await render('<body><script src=/slow.js></script>', others)
    expect(tree).toContain('<a href="at-last">')
  })

  it('is visible, and draws, while other pages of its host are shown', async () => {
    const names = ['a', 'b', 'c']
    const opened = Promise.withResolvers<void>()
    let waiting = names.length
    const wait = () => {
      if (--waiting === 0) opened.resolve()
      return opened.promise.then(() => '')
    }
    files = Object.fromEntries(names.map((name) => [`https://one.test/wait-${name}`, wait]))
    const trees = await Promise.all(
      names.map(async (name) => {
        const draw = `scrollTo(0, 9); requestAnimationFrame(() => add(document.visibilityState + scrollY))`
        const observe = `new IntersectionObserver((_, observer) => { observer.disconnect(); ${draw} }).observe(document.body)`
        const tall = `document.body.style.height = '9999px'`
        const code = `${ADD} ${tall}; fetch('/wait-${name}').then(() => ${observe})`
        const body = Buffer.from(script(code))
        const page = await renderer.render({ url: 'https://one.test/', headers: HTML, body })
        return Buffer.from(page.html).toString()
      }),
    )
    for (const tree of trees) expect(tree).toContain('<a href="visible9">')
  })

  it('is read at once if its server allows no scripts', async () => {
    Object.assign(options, { timeout: 20_000 })
    onTestFinished(() => void Object.assign(options, QUICK))
    const headers = { ...HTML, 'content-security-policy': 'sandbox allow-forms' }
    const body = Buffer.from('<a href=x>')
    const page = await renderer.render({ url: 'https://one.test/', headers, body })
    expect(page.ms).toBeLessThan(20_000)
  })

  it('sends an Origin header like browsers do, and gets a response for each origin', async () => {
    const code = `for (const mode of ['cors', 'no-cors', 'cors']) fetch('https://two.test/origin', { mode }); fetch('/origin')`
    const sandboxed = `<iframe sandbox=allow-scripts srcdoc="<script>fetch('https://two.test/origin')</script>">`
    const hosts = ['one', 'two']
    const others = Object.fromEntries(hosts.map((name) => [`https://${name}.test/origin`, 'x']))
    await render(script(code) + sandboxed, others)
    expect(headers.map(({ origin }) => String(origin)).toSorted()).toEqual([
      ...['https://one.test', 'null', 'undefined', 'undefined'],
    ])
  })

  it('makes requests across sites without secrets, as does a frame of another site, and all frames in that', async () => {
    const calls = (name: string) =>
      `fetch('https://www.one.test/${name}'); new Worker(URL.createObjectURL(new Blob(['fetch("https://one.test/work-${name}")'])))`
    const frame = (html: string) => `<iframe srcdoc="${html.replaceAll('"', '&quot;')}"></iframe>`
    const self = (name: string) => frame(`<script>${calls(name)}</script>`)
    const html = `${script(calls('page'))}${self('inside')}<script src=https://cdn.test/s.js></script>
      <iframe src=https://ads.test/f></iframe><iframe src=https://one.test/left></iframe>`
    const frames = {
      'https://ads.test/f': `${script(calls('foreign'))}${self('nested')}<iframe src=https://one.test/back></iframe>`,
      'https://one.test/left': `<script>location.href = 'https://ads.test/left'</script>`,
      'https://ads.test/left': `<script>${calls('left')}</script>`,
      'https://one.test/back': `<script>${calls('back')}</script>`,
    }
    const { loads } = await render(html, frames)
    const carrying = loads.filter((url) => !crossSite.includes(url)).toSorted()
    const own = ['left', 'work-inside', 'work-page'].map((name) => `https://one.test/${name}`)
    const ofHost = ['inside', 'page'].map((name) => `https://www.one.test/${name}`)
    expect(carrying).toEqual([...own, ...ofHost])
    const others = ['foreign', 'left', 'nested'].flatMap((name) => [
      ...[`https://one.test/work-${name}`, `https://www.one.test/${name}`],
    ])
    expect(crossSite).toEqual(expect.arrayContaining(['https://one.test/back', ...others]))
  })

  it('sends the headers by which servers choose between a page and its data, but no others', async () => {
    const own = `{ accept: 'application/json', 'x-requested-with': 'XMLHttpRequest', 'x-own': '1' }`
    await render(script(`fetch('/choice', { headers: ${own} }).then(() => fetch('/choice'))`), {
      'https://one.test/choice': '{}',
    })
    const json = { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' }
    expect(headers).toEqual([json, { accept: '*/*' }])
  })

  it('shares scripts with all pages, but cookies and storage only with those of its host', async () => {
    const others = { 'https://cdn.test/shared.js': `${ADD} add('by-script')` }
    const code = `add(localStorage.mark ?? 'nothing'); localStorage.mark = 'a mark'`
    const html = `<body><script src=https://cdn.test/shared.js></script><script>${code}</script>`
    const first = await render(html, others)
    const same = await render(html, others, 'https://one.test/2')
    const other = await render(html, others, 'https://two.test/')
    expect([first, same, other].map(({ loads }) => loads.length)).toEqual([1, 0, 0])
    expect(first.tree).toContain('nothing')
    expect(same.tree).toContain('a mark"')
    expect(other.tree).toContain('nothing')
    expect(other.tree).toContain('by-script')
  })

  it('with --interact has what scrolling and clicking add, step by step', async () => {
    // Its screenshot is taken after it was scrolled, and before any click.
    const shown = '[[...document.links].some(({ href }) => href.includes("row3")), panel.innerHTML]'
    const takeScreenshot: TakeScreenshot = async ({ evaluate }) => {
      return { missing: JSON.stringify(await evaluate(shown)) }
    }
    Object.assign(options, { interact: true, timeout: 10_000, takeScreenshot })
    onTestFinished(() => void Object.assign(options, { ...QUICK, takeScreenshot: undefined }))
    const code = `${ADD} let rows = 0
      addEventListener('scroll', () => { if (rows++ < 3) { add('row' + rows); document.body.append(Object.assign(document.createElement('p'), { style: 'height: 2000px' })) } })
      const panel = document.querySelector('#panel')
      const tab = (name) => { panel.innerHTML = '<a href=tab-' + name + '>x</a>' }
      const dare = (what) => add('dared-to-' + what)`
    const html = `<body><p style="height: 3000px"></p><div id=panel></div>
      <button onclick="history.replaceState(1, '', '/replaced')">Swap</button>
      <button onclick="tab('one')">One</button><div role=tab onclick="tab('two')">Two</div>
      <button onclick="history.pushState(1, '', '/route'); this.remove()">Go</button>
      <button onclick="location = '/elsewhere'">Leave</button>
      <button onclick="dare('delete')">Delete all</button><button aria-label="Log out" onclick="dare('leave')">x</button>
      <form onsubmit="dare('submit')"><button>Fine</button><button type=button onclick="tab('three')">Three</button></form>
      <button hidden onclick="dare('see')">Hidden</button><details><summary>More</summary><a href=detail>x</a></details>
      <script>${code}</script>`
    const { hrefs, tree, screenshot } = await render(html)
    expect(screenshot).toEqual({ missing: '[true,""]' })
    const paths = new Set(hrefs.map((href) => new URL(href).pathname))
    expect([...paths].toSorted()).toEqual([
      ...['/detail', '/elsewhere', '/replaced', '/route', '/row1', '/row2', '/row3'],
      ...['/tab-one', '/tab-three', '/tab-two'],
    ])
    expect(tree).toContain('row3')
  })

  it('with --interact is scrolled step by step, or its main area, and links to all that is shown meanwhile', async () => {
    Object.assign(options, { interact: true, timeout: 10_000 })
    onTestFinished(() => void Object.assign(options, QUICK))
    const section = (name: string) => `<section id=${name} style="height: 1500px"></section>`
    const fill = `for (const section of document.querySelectorAll('section')) new IntersectionObserver(([entry]) => {
      section.innerHTML = entry.isIntersecting ? '<a href=' + section.id + '>x</a>' : ''
    }).observe(section)`
    const sections = ['a', 'b', 'c', 'd'].map(section).join('')
    const area = `<body style="margin: 0"><main style="height: 100vh; overflow-y: auto">${sections}</main>`
    for (const html of [sections, area]) {
      const { hrefs } = await render(`${html}<script>${fill}</script>`)
      const paths = hrefs.map((href) => new URL(href).pathname).toSorted()
      expect(paths).toEqual(['/a', '/b', '/c', '/d'])
    }
  })

  it('with --interact has buttons clicked again that show more links, but not those that hide them', async () => {
    Object.assign(options, { interact: true, timeout: 10_000 })
    onTestFinished(() => void Object.assign(options, QUICK))
    const code = `${ADD} let page = 1, opened = 0`
    const html = `<body><button onclick="add('page-' + ++page); if (page === 4) this.remove()">More</button>
      <button aria-expanded=false onclick="add('opened-' + ++opened)">Menu</button>
      <a role=button href="#" onclick="add('by-anchor'); return false">Show</a>
      <script>${code}</script>`
    const { hrefs } = await render(html)
    const paths = hrefs.map((href) => new URL(href).pathname).filter((path) => path !== '/')
    expect(paths.toSorted()).toEqual([
      ...['/by-anchor', '/opened-1', '/page-2', '/page-3', '/page-4'],
    ])
  })
})

describe('the screenshot of a page', () => {
  const endless = `${script('')}<p style="height: 3000px"></p><script>
    setTimeout(() => { scrollTo(0, 900); setTimeout(() => { onscroll = () => { for (;;); } }, 100) })</script>`

  it('is taken even if a script runs endlessly once the page is scrolled, and without one the page is still rendered', async () => {
    const path = mkdtempSync(join(tmpdir(), 'orbweaver-'))
    onTestFinished(() => rmSync(path, { recursive: true }))
    onTestFinished(() => void Object.assign(options, { takeScreenshot: undefined }))
    const take = screenshotTaker({ path, isDurable: false }, 1)
    const takeScreenshot: TakeScreenshot = (page) => take({ ...page, patience: 300 })
    Object.assign(options, { takeScreenshot })
    expect((await render(endless)).screenshot).toEqual({ file: join(path, '1-1') })
    expect(readdirSync(path)).toEqual(['1-1'])
    Object.assign(options, { takeScreenshot: () => Promise.reject(new Error('no screenshot')) })
    const { tree, screenshot } = await render(endless)
    expect(tree).toContain('3000px')
    expect(screenshot).toEqual({ missing: 'no screenshot' })
  })
})

describe('the browser', () => {
  it('requests only files that may add links, and only with GET', async () => {
    const code = `new Image().src = '/i.png'; fetch('/post', { method: 'POST' }); navigator.sendBeacon('/beacon')
      fetch('/with', { headers: { 'x-own': '1' } }); new EventSource('/events'); new Audio('/a.mp3').play()
      document.fonts.add(new FontFace('f', 'url(/f.woff2)')); document.fonts.load('1px f')`
    const head =
      '<link rel=icon href=/icon.png><link rel=prefetch href=/next><link rel=manifest href=/m.json><link rel=stylesheet href=/s.css>'
    const { loads } = await render(`${head}${script(code)}`)
    expect(loads.toSorted()).toEqual(['https://one.test/s.css', 'https://one.test/with'])
  })

  it('gets responses for requests of workers, and starts no workers that outlive their page', async () => {
    const code = `new Worker('/w.js').onmessage = ({ data }) => { ${ADD} add(data) }
      navigator.serviceWorker.register('/sw.js').catch(() => { ${ADD} add('no-service-worker') })
      new SharedWorker('/shared.js')`
    const others = {
      'https://one.test/w.js': `fetch('/data').then((r) => r.text()).then(postMessage)`,
      'https://one.test/data': 'from-worker',
      'https://one.test/sw.js': `fetch('/escaped')`,
      'https://one.test/shared.js': `fetch('/escaped')`,
    }
    const { tree, loads } = await render(script(code), others)
    expect(tree).toContain('from-worker')
    expect(tree).toContain('<a href="no-service-worker">')
    expect(loads).not.toContain('https://one.test/escaped')
  })

  it('waits for workers that compute before they request something', async () => {
    const code = `new Worker('/busy.js').onmessage = ({ data }) => { ${ADD} add(data) }`
    const busy = `for (const end = Date.now() + 700; Date.now() < end;); fetch('/result').then((r) => r.text()).then(postMessage)`
    const others = { 'https://one.test/busy.js': busy, 'https://one.test/result': 'computed' }
    const { tree } = await render(script(code), others)
    expect(tree).toContain('computed')
  })

  it('makes no connection of its own', async () => {
    const connections: unknown[] = []
    const server = createServer((socket) => connections.push(socket.destroy()))
    const port = await listen(server)
    onTestFinished(() => void server.close())
    const address = `127.0.0.1:${port}`
    const code = `new WebSocket('ws://${address}/'); new WebSocket('ws://localhost:${port}/')
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${address}?transport=tcp', username: 'a', credential: 'b' }] })
      peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      if (self.WebTransport) new WebTransport('https://${address}/').closed.catch(() => {})`
    const head = `<link rel=preconnect href=http://${address}><link rel=dns-prefetch href=http://localhost:${port}>`
    await render(`${head}${script(code)}`, {}, `http://${address}/`)
    await sleep(300)
    expect(connections).toEqual([])
  })

  it('runs in its sandbox, not as root', async () => {
    await render('x')
    const processes = browserProcesses()
    const renderers = processes.filter(({ command }) => command.includes('--type=renderer'))
    expect(renderers.length).toBeGreaterThan(0)
    for (const { command, status } of processes) {
      expect(command).not.toContain('no-sandbox')
      expect(status).not.toMatch(/^Uid:\s+0\s/m)
    }
    // Its system calls are filtered.
    for (const { status } of renderers) expect(status).toMatch(/^Seccomp:\s+2/m)
  })
})

describe('a hostile page', () => {
  // Some of the pages compute all the time.
  beforeAll(() => void Object.assign(options, { timeout: 2_000 }))
  afterAll(() => void Object.assign(options, QUICK))

  const link = '<body><a href=sent>x</a>'

  const PAGES: [name: string, code: string][] = [
    ['never ends', 'onload = () => { for (;;); }'],
    ['never finishes loading', 'for (;;);'],
    ['shows alerts in a loop', 'for (;;) alert(1)'],
    ['shows dialogs endlessly', 'setInterval(() => confirm("Sure?"), 1)'],
    ['opens windows endlessly', 'setInterval(() => open("/w" + Math.random()), 1)'],
    ['navigates endlessly', 'setInterval(() => { location.href = "/" + Math.random() }, 1)'],
    [
      'pushes history entries endlessly',
      'setInterval(() => history.pushState(1, "", "/" + Math.random()), 0)',
    ],
    ['refuses to be left', 'onbeforeunload = (event) => event.preventDefault()'],
    [
      'loads frames of itself',
      'document.write("<iframe srcdoc=\'<script>for(;;);<\\/script>\'></iframe>")',
    ],
  ]
  const SOME = [
    'never ends',
    'shows dialogs endlessly',
    'navigates endlessly',
    'refuses to be left',
  ]
  it.concurrent.each(chosen(PAGES, ([name]) => SOME.includes(name)))(
    'that %s is stopped after a time, and read',
    async (_, code) => {
      const { tree, hrefs, ms } = await render(`${link}<script>${code}</script>`)
      expect(tree).toContain('href="sent"')
      expect(hrefs.length).toBeLessThanOrEqual(1_000)
      expect(ms).toBeLessThan(60_000)
    },
  )
})

describe('a browser', () => {
  it('that crashes is restarted with its pages, also for root with a private temporary directory', async () => {
    await render('x')
    const { TMPDIR = '' } = process.env
    process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'orbweaver-'))
    onTestFinished(() => {
      process.env['TMPDIR'] = TMPDIR
    })
    let deaths = 0
    let profile = ''
    const deadly = async () => {
      if (deaths++ === 0) {
        const main = browserProcesses().find(({ command }) => !command.includes('--type='))
        profile = /--user-data-dir=(\S+)/.exec(main?.command ?? '')?.[1] ?? ''
        process.kill(main?.pid ?? 0, 'SIGKILL')
        await sleep(300)
      }
      return `${ADD} add('survived')`
    }
    const page = await render('<body><script src=/deadly.js></script>', {
      'https://one.test/deadly.js': deadly,
    })
    expect(page.tree).toContain('survived')
    expect(profile).toContain('orbweaver-browser-')
    await until(() => !existsSync(profile))
  })

  it('that hangs is replaced', async () => {
    await render('x')
    const main = browserProcesses().find(({ command }) => !command.includes('--type='))
    process.kill(main?.pid ?? 0, 'SIGSTOP')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const page = render('<p>Again', {}, 'https://another.test/')
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    expect((await page).tree).toContain('Again')
  })

  it('that is slow to show a page takes no time from the page', async () => {
    await render('x')
    // Until the page can be used again.
    await sleep(500)
    const main = browserProcesses().find(({ command }) => !command.includes('--type='))
    const pid = main?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    setTimeout(() => process.kill(pid, 'SIGCONT'), QUICK.timeout + 1_000)
    expect((await render('<p>Late')).tree).toContain('Late')
  })

  it('that is killed while it starts is started once more', async () => {
    const folder = mkdtempSync('/tmp/orbweaver-')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o777)
    const browser = join(folder, 'killed')
    const script = `#!/bin/sh\nmkdir ${folder}/begun && kill -9 $$\nexec ${QUICK.browser} "$@"`
    writeFileSync(browser, script, { mode: 0o755 })
    const other = new PageRenderer({ ...QUICK, browser }, load)
    onTestFinished(() => other.close())
    const page = { url: 'https://one.test/', headers: HTML, body: Buffer.from('<p>Page') }
    const { html } = await other.render(page)
    expect(Buffer.from(html).toString()).toContain('Page')
  })

  it('that hangs while it starts ends with its renderer', async () => {
    const folder = mkdtempSync('/tmp/orbweaver-')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o755)
    const browser = join(folder, 'silent')
    writeFileSync(browser, '#!/bin/sh\nexec tail -f /dev/null', { mode: 0o755 })
    const silent = new PageRenderer({ ...QUICK, browser }, load)
    const page = silent.render({ url: 'https://one.test/', headers: HTML, body: Buffer.from('x') })
    const failed = expect(page).rejects.toThrow('the browser ended with SIGKILL')
    await sleep(500)
    await silent.close()
    await failed
  })

  it('ends with its renderer, and leaves no process', async () => {
    await render('x')
    expect(browserProcesses()).not.toEqual([])
    await renderer.close()
    await until(() => browserProcesses().length === 0)
  })
})
