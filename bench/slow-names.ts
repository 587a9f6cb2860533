import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { startDnsServer } from '../test/support/dns-server.ts'
import { listen } from '../test/support/listen.ts'
import { runCrawl } from '../test/support/run-cli.ts'

/**
 * Measures how long the pages of 30 hosts take beside hosts whose name servers are silent. To be run by hand, as root:
 *
 *     unshare -m sh -c 'echo nameserver 127.0.0.77 > /run/silent && mount --bind /run/silent /etc/resolv.conf &&
 *       exec node bench/slow-names.ts 8'
 */
const silent = Number(process.argv[2] ?? 8)
const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${kind}${index}.test`)
const slow = names('slow', silent).map((name) => [name, { A: 'silent', AAAA: 'silent' }] as const)
const good = names('good', 30).map((name) => [name, { A: [[127, 0, 0, 1]] }] as const)
const zone = Object.fromEntries([...slow, ...good])
const dns = await startDnsServer(zone, { address: '127.0.0.77', port: 53 })
const site = createServer((_, response) => void response.end('a page'))
const port = await listen(site)
const seeds = join(process.env['TMPDIR'] ?? '/tmp', `slow-names-${process.pid}.txt`)
writeFileSync(
  seeds,
  Object.keys(zone)
    .map((name) => `http://${name}:${port}/`)
    .join('\n'),
)

const started = performance.now()
let last = 0
const flags = ['--ignore-robots', '--workers', '2', '--retries', '0', '--allow-private']
const run = await runCrawl(['--seeds', seeds, ...flags], {
  onStart: (child) =>
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes('good')) last = performance.now() - started
    }),
})
const pages = run.visits.filter(({ url, status }) => url.includes('good') && status === 200)
console.log(
  `${pages.length} of 30 pages beside ${silent} silent names, the last after ${Math.round(last)} ms`,
)
rmSync(seeds)
site.close()
await dns.close()
