import { Command, Option } from 'commander'

/** What was typed: every flag as a text, a list of texts, or true. */
export interface Flags extends Record<string, unknown> {
  readonly config?: string
  readonly seeds?: string
  readonly quiet?: true
  readonly state?: string
  readonly force?: boolean
  readonly header?: readonly string[]
  readonly extract?: readonly string[]
  readonly extractFile?: string
  readonly traps?: boolean
  readonly progress?: boolean
  readonly followDuplicates?: boolean
}

/** Names that commas separate. */
export const list = (value: string) => value.split(',').map((name) => name.trim())
const collect = (value: string, before: readonly string[] = []) => [...before, value]

/** The command line of `crawl`. Defaults are those of the config: config/schema.ts. */
export function createProgram(version: string): Command {
  const program = new Command('crawl')
    .description('Crawls from the seeds and prints one JSON line per visited URL.')
    .argument('[seed-url...]', 'URLs to start from; without a scheme https is tried, then http')
    .version(version)
    .showHelpAfterError('(crawl --help tells more)')
    // What follows a subcommand is the subcommand's.
    .enablePositionalOptions()
    .helpCommand(false)
  addCrawlOptions(program, {
    depth: '3',
    beside: [
      new Option('--assets', 'fetch images, scripts and styles too'),
      new Option('--external', 'ask for links out of the scope, without reading them'),
    ],
  })
  addTakingOptions(program)
  addMannersOptions(program)
  addFetchOptions(program)
  addProgramOptions(program)
  return program
}

/** Options of all commands that crawl. */
export function addOptionsOfCheck(command: Command): void {
  addCrawlOptions(command, {
    depth: 'no limit',
    beside: [
      ...onByDefault('assets', 'do not look at images, scripts and style sheets'),
      ...onByDefault('external', 'do not ask for links out of the scope'),
    ],
  })
  addMannersOptions(command)
  addFetchOptions(command)
  addProgramOptions(command)
}

/** An option that turns off what is on by default; the one that turns it on is accepted, too. */
function onByDefault(name: string, description: string): Option[] {
  return [new Option(`--${name}`).hideHelp(), new Option(`--no-${name}`, description)]
}

interface CrawlVariant {
  /** Default, in words. */
  readonly depth: string
  /** Options about what is fetched beside pages. */
  readonly beside: readonly Option[]
}

function addCrawlOptions(program: Command, { depth, beside }: CrawlVariant): void {
  program
    .optionsGroup('What is crawled:')
    .option('-d, --depth <n>', `links followed from a seed (${depth})`)
    .option('--scope <name>', 'path, host, domain or any, as seen from the seeds (host)')
    .option('--include <regex>', 'crawl only URLs that match; repeatable', collect)
    .option('--exclude <regex>', 'never crawl URLs that match; repeatable', collect)
  for (const option of beside) program.addOption(option)
  program
    .option('--sitemaps', 'take URLs from sitemaps too')
    .option('--canonicalize <rules>', 'merge URLs by these rules, separated by commas', list)
    .option('--no-traps', 'do not leave URL spaces that seem to have no end')
    .option('--content-dedup <name>', 'tell pages that are the same: exact, or nearly: near')
    .option('--no-follow-duplicates', 'take no links from such pages')
    .option('--deterministic', 'visit in one order, so that two crawls can be compared')
    .option('--seeds <file>', 'further seeds, one per line; - is stdin')
    .option('--max-pages <n>', 'end after so many visits')
    .option('--max-time <duration>', 'end after this time, such as 90s or 2h')
}

function addTakingOptions(program: Command): void {
  program
    .optionsGroup('What is taken from pages:')
    .option('--extract <name=selector>', 'take a field by its CSS selector; repeatable', collect)
    .option('--extract-file <file>', 'take the fields of this JSON object')
    .option('--text', 'take the readable text')
    .option('--markdown', 'take the page as Markdown')
    .optionsGroup('Where visits go:')
    .option('-o, --output <file>', 'write visits here; - is stdout; repeatable (-)', collect)
    .option(
      '-f, --format <name>',
      'jsonl, csv, sitemap, dot, graphml, sqlite or warc (by the extension)',
    )
    .option('--skipped <file>', 'write a line about each URL that was not fetched, and why')
    .option('--links <file>', 'write a line about each link of each page')
    .option('--save-bodies <dir>', 'save pages as files that link to each other, to read offline')
    .option('--overwrite', 'replace an existing output file')
    .option('--state <dir>', 'keep the crawl here; the same command later resumes it')
    .option('--revisit-after <duration>', 'with --state: visit again what was visited longer ago')
    .option('--retry-failed', 'with --state: visit again what failed, if that may have passed')
    .option('--frontier <redis-url>', 'share the queue with other processes, over Redis', list)
    .option('--job <name>', 'with --frontier: which crawl to take part in')
    .option('--lease <duration>', 'give to others what a process held that went silent (30s)')
    .option('--force', 'resume with other settings than the crawl began with')
}

function addMannersOptions(program: Command): void {
  program
    .optionsGroup('Manners:')
    .option('--per-host <n>', 'requests in flight per host, all workers together (6)')
    .option('--delay <duration>', 'pause between two requests to a host (0)')
    .option('--adaptive', 'let the pause follow the latency of each host')
    .option('--per-ip', 'treat hosts at the same address as one')
    .option('--max-per-host <n>', 'ask so many pages of a host, and no more')
    .option('--max-host-errors <n>', 'give a host up after so many failures in a row (20)')
    .option('--max-retry-after <duration>', 'fail a URL whose host asks for a longer pause (2m)')
    .option('--host-patience <duration>', 'wait for a host that stops answering (2m)')
    .option('--ignore-robots', 'do not ask for robots.txt')
    .option('--user-agent <text>', 'how the crawler names itself')
}

function addFetchOptions(program: Command): void {
  program
    .optionsGroup('Fetching:')
    .option('-w, --workers <n>', 'fetch threads (available cores)')
    .option('-c, --concurrency <n>', 'requests in flight per worker (16)')
    .option('--timeout <duration>', 'time for one request, all of it (30s)')
    .option('--connect-timeout <duration>', 'time to connect, name and TLS included (10s)')
    .option('--min-rate <size>', 'bytes a second that a body must come with (no limit)')
    .option('--min-rate-time <duration>', 'time over which --min-rate is looked at (10s)')
    .option('--retries <n>', 'further attempts after a passing failure (2)')
    .option('--max-redirects <n>', 'redirects in a row that are followed (20)')
    .option('--max-body <size>', 'bytes of a decoded body that are read (10MiB)')
    .option('-H, --header <name: value>', "header for the seeds' origins; repeatable", collect)
    .option('--insecure', 'accept any TLS certificate')
    .option('--cookies [file]', 'keep cookies, in a Netscape cookie file if one is named')
    .option('--proxy <url>', 'send all requests through this http, https or socks5 proxy')
    .option('--allow-private', 'let public sites lead to private addresses')
    .optionsGroup('The seen set:')
    .option(
      '--seen <name>',
      'bloom-growing, bloom, bloom-counting, bloom-aging, digest, exact, sqlite, hybrid or redis-bloom, redis-set, redis-keys (bloom-growing)',
    )
    .option('--expected-urls <n>', 'URLs that it is sized for, or begins with (1000000)')
    .option('--false-positive-rate <p>', 'share of new URLs lost when it is full (0.001)')
    .option(
      '--digest <name>',
      'what digest keeps: halfsiphash, md5, sha-1 or sha-256 (halfsiphash)',
    )
    .option('--forget-after <duration>', 'time after which bloom-aging forgets a URL (7d)')
}

function addProgramOptions(program: Command): void {
  program
    .optionsGroup('The program:')
    .option('--config <file>', 'settings (crawler.config.json, when it is there)')
    .option('--log-level <name>', 'trace, debug, info, warn, error, fatal or silent (info)')
    .option('--log-interval <duration>', 'time between two progress lines (5s)')
    .option('--metrics <port>', 'tell Prometheus how the crawl stands, on 127.0.0.1')
    .option('--no-progress', 'no live view of the crawl at a terminal')
    .option('-q, --quiet', 'log errors only')
}
