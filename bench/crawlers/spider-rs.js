// node spider-rs.js <seed>: spider-rs has no setting for the requests in flight, it adapts to the cores.
import { Website } from '@spider-rs/spider-rs'

const website = new Website(process.argv[2])
  .withRespectRobotsTxt(false)
  .withDepth(0)
  .withDelay(0)
  .build()
await website.crawl()
