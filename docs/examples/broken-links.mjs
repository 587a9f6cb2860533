// Prints missing and failed pages, each with the page that links to it: node broken-links.mjs https://example.com/
import { CrawlerError, crawl } from 'orbweaver'

try {
  const running = crawl({ seeds: process.argv.slice(2), depth: 5 })
  for await (const { status, url, via, error } of running) {
    if (status === 404 || error !== undefined) console.log(status ?? error?.code, url, via ?? '')
  }
  const { visits, elapsedMs } = await running.finished
  console.error(`${visits} pages in ${Math.round(elapsedMs / 1000)} s`)
} catch (error) {
  // A CrawlerError has a message for users; any other error is a bug.
  if (!(error instanceof CrawlerError)) throw error
  console.error(`${error.kind}: ${error.message}`)
  process.exitCode = 2
}
