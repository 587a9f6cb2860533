import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  besideArticles,
  DEEPENING_SITES,
  type EndlessSite,
  OTHER_SITES,
  SESSION_SITES,
} from '../test/crawl/endless-sites.ts'
import { startServer } from '../test/support/site-server.ts'

// node bench/trap-costs.ts [--program bin/crawl.js] [--only <name>] [--most 20000]
// Counts the requests to each endless site beyond those for its pages. Ordinary articles beside it show whether pages
// were missed.

const ARTICLES = 100

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: 'bin/crawl.js' },
    only: { type: 'string', default: '' },
    most: { type: 'string', default: '20000' },
  },
})

console.log('| site | requests lost | pages missed | ended |')
console.log('|---|--:|--:|---|')
for (const site of [...SESSION_SITES, ...DEEPENING_SITES, ...OTHER_SITES]) {
  if (!site.name.includes(values.only)) continue
  const { paths, reason } = await crawl(site)
  const trap = paths.filter((path) => path !== '/' && !path.startsWith('/articles/'))
  const met = new Set(trap.map((path) => site.pageAt(path))).size
  const articles = new Set(paths.filter((path) => path.startsWith('/articles/'))).size
  const missed = Math.max(0, site.pages - met) + ARTICLES - articles
  console.log(`| ${site.name} | ${trap.length - met} | ${missed} | ${reason} |`)
}

async function crawl(site: EndlessSite) {
  const paths: string[] = []
  const page = besideArticles(site, ARTICLES)
  const server = await startServer((request, response) => {
    const path = request.url ?? '/'
    paths.push(path)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page(path))
  })
  const folder = mkdtempSync(join(tmpdir(), 'trap-costs-'))
  const args = [`${server.url}/`, '-d', '100000', '--max-pages', values.most, '--ignore-robots']
  const output = ['-o', join(folder, 'visits.jsonl')]
  const program = spawn('node', [resolve(values.program), ...args, ...output], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: Buffer[] = []
  program.stderr.on('data', (chunk: Buffer) => lines.push(chunk))
  await once(program, 'close')
  const summary = JSON.parse(Buffer.concat(lines).toString().trim().split('\n').at(-1) ?? '{}')
  await server.close()
  rmSync(folder, { recursive: true })
  return { paths, reason: String(summary.reason) }
}
