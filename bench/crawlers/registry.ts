import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONCURRENCY, type Crawler } from './crawler.ts'

const WORKERS = availableParallelism()
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const seedOf = (site: { origin: string; seed: string }) => site.origin + site.seed

/** Returns the version that a program prints; undefined if there is no such program. */
function versionOf(command: string, args: readonly string[], pattern: RegExp): string | undefined {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return pattern.exec(`${stdout}${stderr}`)?.[1]
}

function packaged(folder: string): string | undefined {
  const file = here(join(folder, 'package.json'))
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

const orbweaver: Crawler = {
  name: 'orbweaver',
  version: () => packaged('../..'),
  install: 'npm ci && npm run build',
  settings: `--workers ${WORKERS} --concurrency ${Math.ceil(CONCURRENCY / WORKERS)} --per-host ${CONCURRENCY} --ignore-robots, records to a file`,
  command: (site, { cwd }) => [
    ...[process.execPath, here('../../bin/crawl.js'), seedOf(site), '--quiet', '--ignore-robots'],
    ...['--depth', '1000000', '--workers', `${WORKERS}`, '--per-host', `${CONCURRENCY}`],
    ...['--concurrency', `${Math.ceil(CONCURRENCY / WORKERS)}`, '-o', join(cwd, 'visits.jsonl')],
    ...(site.access === 'tls' ? ['--insecure'] : []),
  ],
}

/** @param keeping options that determine what happens to the pages */
function wget2(name: string, keeping: readonly string[]): Crawler {
  return {
    name,
    version: () => versionOf('wget2', ['--version'], /Wget2 (\S+)/),
    install: 'apt-get install wget2',
    settings: `--max-threads=${CONCURRENCY} ${keeping.join(' ')}, links ignored except those of a and frames`,
    command: (site) => [
      ...['wget2', '--recursive', '--level=0', `--max-threads=${CONCURRENCY}`, '--robots=off'],
      ...[...keeping, '--quiet', '--no-check-certificate', '--ignore-tags=img,link,script,style'],
      seedOf(site),
    ],
  }
}

const scrapyOptions = [
  ...['LOG_ENABLED=0', 'ROBOTSTXT_OBEY=0', 'COOKIES_ENABLED=0', 'TELNETCONSOLE_ENABLED=0'],
  ...['RETRY_ENABLED=0', 'REFERER_ENABLED=0', `CONCURRENT_REQUESTS=${CONCURRENCY}`],
  `CONCURRENT_REQUESTS_PER_DOMAIN=${CONCURRENCY}`,
]

const scrapy: Crawler = {
  name: 'Scrapy',
  version: () => versionOf('scrapy', ['version'], /Scrapy (\S+)/),
  install: 'apt-get install python3-scrapy',
  settings: `${scrapyOptions.join(', ')}; links from lxml, a set in place of its duplicate filter; nothing is kept`,
  command: (site) => [
    ...['scrapy', 'runspider', here('scrapy_spider.py'), '-a', `seed=${seedOf(site)}`],
    ...scrapyOptions.flatMap((option) => ['-s', option]),
  ],
}

const crawlee: Crawler = {
  name: 'Crawlee Cheerio',
  version: () => packaged('../node_modules/@crawlee/cheerio'),
  install: 'npm install --prefix bench',
  checksCertificates: true,
  settings: `minConcurrency and maxConcurrency ${CONCURRENCY}, storage in memory, no session pool, no retries; nothing is kept`,
  command: (site) => [process.execPath, here('crawlee.js'), seedOf(site), `${CONCURRENCY}`],
}

const spider: Crawler = {
  name: 'spider-rs',
  version: () => packaged('../node_modules/@spider-rs/spider-rs-linux-x64-gnu'),
  install: 'npm install --prefix bench',
  checksCertificates: true,
  settings: 'no depth limit, no delay; it chooses the requests in flight; nothing is kept',
  command: (site) => [process.execPath, here('spider-rs.js'), seedOf(site)],
}

function floor(api: 'request' | 'dispatch', threads: number): Crawler {
  return {
    name: `undici ${api}, ${threads === 1 ? '1 thread' : `${threads} threads`}`,
    version: () => packaged('../../node_modules/undici'),
    install: 'npm ci',
    settings: 'not a crawler: it gets the list of all pages, and reads none',
    command: (site, { paths }) => [
      ...[process.execPath, here('undici.ts'), api, `${threads}`, `${CONCURRENCY}`],
      ...[site.origin, paths],
    ],
  }
}

/** All crawlers that are compared. Ratios refer to the first one. */
export const crawlers: readonly Crawler[] = [
  orbweaver,
  wget2('wget2', ['--delete-after']),
  wget2('wget2 -O /dev/null', ['--output-document=/dev/null']),
  ...[scrapy, crawlee, spider],
  ...[floor('request', 1), floor('request', 2), floor('dispatch', 1), floor('dispatch', 2)],
]
