import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wholeProgram } from '../../build/whole-program.ts'
import { serveFixtureSite } from '../../fixtures/server.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { RedisServer } from '../support/redis-server.ts'
import { runScript } from '../support/run-script.ts'

/** Address of the Redis server that pages name. */
const QUEUE = 'redis://queue:6379'
const docs = new URL('../../docs/', import.meta.url)

/** What the commands of each page print, as far as the page speaks of it. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  'tutorial.md': [
    /"title":"Orb webs"/,
    /\/lost-web\.html","status":404/,
    /^visited +5$/m,
    /0 gone/,
  ],
  'how-to/login.md': [/^8$/m],
  'how-to/proxy.md': [/^GET http:.+species/m],
  'how-to/large-site.md': [/bloom-growing/, /^visited +6$/m],
  'redis.md': [],
  'scale.md': [/^machines +processes +pages/m],
  'how-to/many-machines.md': [/^example +finished +0 +27 /m],
  'how-to/archive.md': [/^2\d$/m, /"status": ?"?200/],
  'how-to/mirror.md': [/^site\/.+\/species\/index\.html$/m],
  'how-to/ci.md': [/lost-web\.html +404/, /0 changed/],
  'how-to/watch.md': [/^9$/m],
  'rendering.md': [],
  'check.md': [/"images":1,/, /1 redirect\./],
  'report.md': [],
  'diff.md': [/0 added/],
  'extract.md': [/^http.+\tOrb webs$/m],
  'formats.md': [/^404\thttp.+\thttp/m],
  'links.md': [/^fetched +http/m, /"reason":"robots"/],
  'state.md': [/^visited +\d\d$/m, /"status":200/, /"seen":true/],
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
 * Runs commands in an empty directory, where the fixture site is example.com; gives what they print, and what they ask
 * the proxy for.
 */
async function run(commands: string) {
  const [folder, site, proxy, redis] = await Promise.all([
    mkdtemp(join(tmpdir(), 'orbweaver-docs-')),
    serveFixtureSite(),
    startHttpProxy(),
    commands.includes(QUEUE) ? RedisServer.start() : undefined,
  ])
  try {
    const script = commands
      .replaceAll('https://example.com/', site.url)
      .replaceAll('http://proxy.example:3128', proxy.url)
      .replaceAll(QUEUE, redis?.url ?? '')
    await writeFile(join(folder, 'crawler.config.json'), '{ "workers": 1 }')
    const { code, stdout, stderr } = await runScript(script, folder)
    return { code, stderr, printed: [stdout, ...proxy.asked].join('\n') }
  } finally {
    await Promise.all([site.close(), proxy.close(), redis?.close()])
    await rm(folder, { recursive: true })
  }
}

/** Returns the command lines in code of a page: blocks, indented lines and spans. */
function commandLinesOf(text: string): string[] {
  const joined = text.replaceAll('\\\n', ' ')
  const lines = joined.matchAll(/(?:^(?: {4})?|`)(crawl [^`\n]+)/gm)
  return [...lines].map(([, line = '']) => line.replace(/ (?:\||&&|#|>) .*/, ''))
}

it('every command in README.md and docs/ has options that exist', async () => {
  const program = await wholeProgram()
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  const lines = ['../README.md', ...files.filter((name) => name.endsWith('.md'))].flatMap((name) =>
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

it('every page with commands is among those whose commands are run', () => {
  expect(pages.sort()).toEqual(Object.keys(PRINTED).sort())
})

describe.skipIf(process.platform === 'win32')('the commands of', () => {
  it.each(pages)('docs/%s do what it says', async (page) => {
    const { code, stderr, printed } = await run(commandsOf(page))
    // The log is there where no -q is.
    expect(stderr.replace(/^\{.*\}$/gm, '').trim()).toBe('')
    expect(code).toBe(0)
    for (const expected of PRINTED[page] ?? []) expect(printed).toMatch(expected)
  })
})
