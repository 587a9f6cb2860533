import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCrawl } from './run-cli.ts'
import { type SiteServer, startServer } from './site-server.ts'
import { ask } from './state-run.ts'
import { until } from './until.ts'

const PAGES = 40
/** Number of visits that are durable when the crawl is killed. */
const DONE = 12

/** A crawl that was killed in the middle, with all kinds of outputs. It can be damaged and restored repeatedly. */
export class KilledCrawl {
  readonly site: SiteServer
  readonly command: readonly string[]
  readonly state: string
  readonly #folder: string
  readonly #copy: string

  private constructor(site: SiteServer, folder: string, command: readonly string[]) {
    this.site = site
    this.command = command
    this.#folder = join(folder, 'crawl')
    this.#copy = join(folder, 'copy')
    this.state = join(this.#folder, 'state')
  }

  /**
   * Crawls and kills the crawl.
   * @param folder used by nothing else
   */
  static async begin(folder: string): Promise<KilledCrawl> {
    let isHanging = true
    const site = await startServer(async ({ url = '' }, response) => {
      if (url === '/robots.txt') {
        response.end('User-agent: *\nDisallow: /secret\nSitemap: /none.xml\n')
        return
      }
      const page = Number(url.slice(1))
      while (isHanging && page > DONE) await sleep(20)
      response.setHeader('content-type', 'text/html')
      response.setHeader('set-cookie', `page=${page}`)
      const links = [2 * page, 2 * page + 1].filter((next) => next <= PAGES)
      const content = `<title>${page}</title><p>${page % 7}`
      response.end(content + links.map((next) => `<a href="/${next}">${next}</a>`).join(''))
    })
    const crawl = new KilledCrawl(site, folder, commandFor(site, join(folder, 'crawl')))
    await crawl.#run()
    isHanging = false
    await rename(join(folder, 'crawl'), join(folder, 'copy'))
    return crawl
  }

  /** Restores the files that the killed crawl left. */
  async restore(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await cp(this.#copy, this.#folder, { recursive: true, preserveTimestamps: true })
  }

  async #run(): Promise<void> {
    await mkdir(this.#folder)
    const run = await runCrawl(this.command, {
      onStart: async (child) => {
        await until(() => this.#visits() >= DONE || child.exitCode !== null)
        child.kill('SIGKILL')
      },
    })
    if (run.code !== null) throw new Error(`it ended with ${run.code}: ${run.stderr}`)
  }

  #visits(): number {
    try {
      return Number(ask(this.state, 'SELECT count(*) AS visits FROM visits')[0]?.['visits'])
    } catch {
      return 0 // no database yet
    }
  }
}

function commandFor(site: SiteServer, folder: string): readonly string[] {
  const outputs = ['out.jsonl', 'map.xml', 'site.sqlite', 'pages.warc.gz']
  return [
    ...[`${site.url}/1`, '-q', '-d', '9', '-w', '1', '--content-dedup', 'near', '--assets'],
    ...['--seen', 'hybrid', '--expected-urls', '100', '--state', join(folder, 'state')],
    ...outputs.flatMap((name) => ['-o', join(folder, name)]),
    ...['--save-bodies', join(folder, 'mirror'), '--cookies', join(folder, 'cookies.txt')],
    ...['--skipped', join(folder, 'skipped.jsonl'), '--links', join(folder, 'links.jsonl')],
  ]
}
