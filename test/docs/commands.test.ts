import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wholeProgram } from '../../build/whole-program.ts'
import { startSite } from '../support/crawl-site.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { RedisServer } from '../support/redis-server.ts'
import { runScript } from '../support/run-script.ts'
import { serveExampleSite } from './example-site.ts'

/** Address of the Redis server that pages name. */
const QUEUE = 'redis://queue:6379'
const docs = new URL('../../docs/', import.meta.url)

/** Expected output of the commands of each page, as far as the page describes it. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  'tutorial.md': [
    /"title":"Orb webs"/,
    /^404 {3}1 {2}http.+\/lost-web\.html/m,
    /^visited +5$/m,
    /0 gone/,
  ],
  'how-to/login.md': [/^3$/m],
  'how-to/proxy.md': [/^GET http:.+species/m],
  'how-to/corpus.md': [/^5$/m, /^# The garden spider$/m],
  'how-to/endpoints.md': [],
  'how-to/large-site.md': [/bloom-growing/, /^visited +4$/m],
  'redis.md': [],
  'scale.md': [/^machines +processes +pages/m],
  'how-to/many-machines.md': [/^example +finished +0 +7 /m],
  'how-to/archive.md': [/^11$/m, /"status": ?"?200/],
  'how-to/mirror.md': [/^127\.0\.0\.1\+\d+$/m],
  'how-to/audit.md': [],
  'how-to/ci.md': [/lost-web\.html +404/, /0 changed/],
  'how-to/move.md': [/ 0 broken/, / 0 changed/],
  'how-to/watch.md': [/^4$/m],
  'how-to/unattended.md': [],
  'how-to/troubleshooting.md': [/^ +1 robots$/m, /^404 http.+lost-web\.html$/m],
  'rendering.md': [],
  'check.md': [/"images":1,/, /1 redirect\./],
  'report.md': [],
  'configuration.md': [],
  'diff.md': [/0 added/],
  'extract.md': [
    /^http.+\tNets$/m,
    /^http:\/\/.+\tNet\t1\.50\nhttp:\/\/.+\tWeb, large\t2\.50$/m,
    /^"http:.+","Net","1\.50"\n"http:.+","Web, large","2\.50"$/m,
    /^nets@shop\.example$/m,
  ],
  'formats.md': [/^404\thttp.+\thttp/m],
  'links.md': [/^fetched +http/m, /"reason":"robots"/],
  'state.md': [/^visited +7$/m, /"status":200/, /"seen":true/],
  'duplicates.md': [],
}

const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md') && commandsOf(name) !== '')

function commandsOf(page: string): string {
  const blocks = readFileSync(new URL(page, docs), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, commands]) => commands).join('')
}

/**
 * Runs commands in an empty directory, with a site in place of example.com. Returns their output, and their requests to
 * the proxy.
 */
async function run(commands: string, serve: () => Promise<Site> = serveExampleSite) {
  const [folder, site, proxy, redis] = await Promise.all([
    mkdtemp(join(tmpdir(), 'orbweaver-docs-')),
    serve(),
    startHttpProxy(),
    commands.includes(QUEUE) ? RedisServer.start() : undefined,
  ])
  try {
    const script = commands
      .replaceAll('https://example.com/', `${new URL(site.url).origin}/`)
      .replaceAll('http://proxy.example:3128', proxy.url)
      .replaceAll(QUEUE, redis?.url ?? '')
    await writeFile(join(folder, 'crawler.config.json'), '{ "workers": 1 }')
    await cp(new URL('../../fixtures/site', import.meta.url), join(folder, 'build'), {
      recursive: true,
    })
    const { code, stdout, stderr } = await runScript(script, folder)
    return { code, stderr, printed: [stdout, ...proxy.requests].join('\n') }
  } finally {
    await Promise.all([site.close(), proxy.close(), redis?.close()])
    await rm(folder, { recursive: true })
  }
}

/** Serves products, of which `docs/extract.md` prints one per line. */
function serveShop(): Promise<Site> {
  const products = ['Net', 'Web, large'].map(
    (name, at) => `<li class=product><b class=name>${name}</b> <i class=price>${at + 1}.50</i>`,
  )
  return startSite({ '/': `<h1>Nets</h1>${products.join('')}<p>Write to nets@shop.example.` })
}

interface Site {
  readonly url: string
  close(): Promise<void>
}

/** Returns the command lines in the code of a page: blocks, indented lines and spans. */
function commandLinesOf(text: string): string[] {
  const joined = text.replaceAll('\\\n', ' ')
  const lines = joined.matchAll(/(?:^(?: {4})?|`)(crawl [^`\n]+)/gm)
  return [...lines].map(([, line = '']) => line.replace(/ (?:\||&&|#|>) .*/, ''))
}

/** Returns the names of README.md and of all pages. */
function allPages(): string[] {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  return ['../README.md', ...files.filter((name) => name.endsWith('.md'))]
}

it('all commands in README.md and docs/ have only options that exist', async () => {
  const program = await wholeProgram()
  const lines = allPages().flatMap((name) =>
    commandLinesOf(readFileSync(new URL(name, docs), 'utf8')),
  )
  const unknown = lines.filter((line) => {
    const command = program.commands.find((each) => each.name() === line.split(' ')[1])
    const known = (command ?? program).options.flatMap(({ long, short }) => [long, short])
    const given = line.match(/(?<= )--?[a-z][a-z-]*/g) ?? []
    return given.some((flag) => !known.includes(flag) && flag !== '--help' && flag !== '-h')
  })
  expect(unknown).toEqual([])
  expect(lines.length).toBeGreaterThan(100)
})

/** Options of Node, Docker and benchmarks that pages name. */
const OTHER_OPTIONS = /^--(?:allow-.+|use-system-ca|max-old-space-size|cluster|html5lib|restart)$/
/** A page on options of V8. */
const V8_PAGE = 'profiling.md'

it('all options that README.md and docs/ name exist', async () => {
  const program = await wholeProgram()
  const commands = [
    program,
    ...program.commands,
    ...program.commands.flatMap((each) => each.commands),
  ]
  const known = new Set(commands.flatMap(({ options }) => options.map(({ long }) => long)))
  const named = allPages()
    .filter((name) => name !== V8_PAGE)
    .flatMap(
      (name) => readFileSync(new URL(name, docs), 'utf8').match(/(?<=`)--[a-z][a-z\d-]*/g) ?? [],
    )
  const unknown = named.filter((option) => !known.has(option) && !OTHER_OPTIONS.test(option))
  expect(unknown).toEqual([])
  expect(named.length).toBeGreaterThan(500)
})

it('every page with commands is tested here', () => {
  expect(pages.sort()).toEqual(Object.keys(PRINTED).sort())
})

describe.skipIf(process.platform === 'win32')('the commands of', () => {
  it('docs/how-to/ci.md fail a build with broken links (the first command)', async () => {
    const page = readFileSync(new URL('how-to/ci.md', docs), 'utf8')
    const [, first = ''] = /^(?: {4})?(crawl check .+)$/m.exec(page) ?? []
    const { code, printed } = await run(first)
    expect(printed).toMatch(/lost-web\.html {2}404/)
    expect(code).toBe(8)
  })

  it.each(pages)('docs/%s have the described output', async (page) => {
    const isShop = page === 'extract.md'
    const commands = `${commandsOf(page)}${isShop ? 'cat products.csv' : ''}`
    const { code, stderr, printed } = await run(commands, isShop ? serveShop : undefined)
    // stderr has the log if the command has no -q.
    expect(stderr.replace(/^\{.*\}$/gm, '').trim()).toBe('')
    expect(code).toBe(0)
    for (const expected of PRINTED[page] ?? []) expect(printed).toMatch(expected)
  })
})
