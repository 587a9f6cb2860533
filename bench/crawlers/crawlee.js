// node crawlee.js <seed> <concurrency>: Crawlee's CheerioCrawler, the least that follows all links.
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio'

const [seed, concurrency] = process.argv.slice(2)
log.setLevel(log.LEVELS.OFF)
const configuration = new Configuration({
  persistStorage: false,
  // As it would have on a machine of its own: it slows down at a share of this.
  memoryMbytes: 8192,
})
const crawler = new CheerioCrawler(
  {
    // Its autoscaling starts low and backs off on a busy machine: go at full width at once.
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    maxRequestRetries: 0,
    respectRobotsTxtFile: false,
    useSessionPool: false,
    requestHandler: ({ enqueueLinks }) => enqueueLinks({ strategy: 'same-origin' }),
  },
  configuration,
)
await crawler.run([seed])
