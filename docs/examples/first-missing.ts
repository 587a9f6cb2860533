// Prints the first missing page, and gives up after a minute: node first-missing.ts https://example.com/
import { crawl, type Visit } from 'orbweaver'

async function firstMissing(seed: string): Promise<Visit | undefined> {
  const running = crawl({ seeds: [seed], signal: AbortSignal.timeout(60_000) })
  const timer = setInterval(() => console.error(running.stats().queued, 'URLs wait'), 5_000)
  try {
    for await (const visit of running) if (visit.status === 404) return visit
    return undefined
  } finally {
    clearInterval(timer)
  }
}

const missing = await firstMissing(process.argv[2] ?? '')
console.log(missing === undefined ? 'none' : `${missing.url} is linked from ${missing.via}`)
