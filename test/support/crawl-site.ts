import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts'
import type { Summary } from '../../src/crawl/stats/stats.ts'
import type { Visit } from '../../src/records/visit.ts'
import { type SiteServer, startServer } from './site-server.ts'

type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** Starts a site with these paths: HTML texts, or functions that respond. Other paths are missing. */
export function startSite(
  answers: Readonly<Record<string, Answer>>,
  host = '127.0.0.1',
): Promise<SiteServer> {
  return startServer(
    (request, response) => {
      const answer = answers[request.url ?? '']
      if (answer === undefined) response.writeHead(404).end()
      else if (typeof answer === 'string') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer)
      } else answer(request, response)
    },
    { host },
  )
}

/** Starts a site like `startSite`, and closes it with the test. */
export async function serveSite(
  answers: Readonly<Record<string, Answer>>,
  host = '127.0.0.1',
): Promise<SiteServer> {
  const server = await startSite(answers, host)
  onTestFinished(() => server.close())
  return server
}

export interface CrawledSite {
  readonly visits: readonly Visit[]
  /** Visits by path and query. */
  readonly byPath: ReadonlyMap<string, Visit>
  readonly summary: Summary
}

/** Crawls a site from its root to the end. */
export async function crawlSite(site: SiteServer, config: CrawlOptions = {}): Promise<CrawledSite> {
  const running = crawl({ seeds: [`${site.url}/`], workers: 1, ...config })
  const visits: Visit[] = []
  for await (const visit of running) visits.push(visit)
  const byPath = new Map(visits.map((visit) => [visit.url.slice(site.url.length), visit]))
  return { visits, byPath, summary: await running.finished }
}
