/**
 * Serves endless trees of pages on several ports, and prints their origins as JSON.
 *
 *   node bench/sites/page-trees.ts <ports> <bytes per page>
 */
import { createServer } from 'node:http'
import { listen } from '../../test/support/listen.ts'

const [ports = 1, size = 2_000] = process.argv.slice(2).map(Number)

function page(path: string): string {
  const number = Number(path.slice(1)) || 1
  const links = [2 * number, 2 * number + 1].map((next) => `<a href="/${next}">${next}</a>`)
  return `<title>${number}</title>${links.join(' ')}<p>${'x'.repeat(Math.max(0, size - 200))}`
}

async function serve(): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end()
    else response.setHeader('content-type', 'text/html').end(page(url))
  })
  return `http://127.0.0.1:${await listen(server)}`
}

console.log(JSON.stringify(await Promise.all(Array.from({ length: ports }, serve))))
