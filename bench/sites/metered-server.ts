/**
 * A process that serves endless trees of pages on some ports, and notes when requests and how many bytes pass. It says
 * on stdout where it listens; for each line on stdin it prints what it has noted, as JSON.
 *
 *   node bench/sites/metered-server.ts <ports> <bytes per page>
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** Milliseconds between two notes of the bytes so far. */
const SAMPLE_MS = 50

const [ports = 1, size = 2_000] = process.argv.slice(2).map(Number)
const requests: number[] = []
const bytes: (readonly [at: number, sum: number])[] = []
const sockets = new Set<Socket>()
let closedBytes = 0

/** Bytes that the system has taken, of which it holds some back. */
function sentOn(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

function page(path: string): string {
  const number = Number(path.slice(1)) || 1
  const links = [2 * number, 2 * number + 1].map((next) => `<a href="/${next}">${next}</a>`)
  return `<title>${number}</title>${links.join(' ')}<p>${'x'.repeat(Math.max(0, size - 200))}`
}

function serve(): Server {
  const server = createServer((request, response) => {
    requests.push(performance.now())
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else response.setHeader('content-type', 'text/html').end(page(request.url ?? '/'))
  })
  return server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      closedBytes += socket.bytesWritten
    })
  })
}

async function origin(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

const origins = await Promise.all(Array.from({ length: ports }, () => origin(serve())))
console.log(JSON.stringify(origins))
setInterval(() => {
  const sum = [...sockets].reduce((all, socket) => all + sentOn(socket), closedBytes)
  bytes.push([performance.now(), sum])
}, SAMPLE_MS)
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify({ requests, bytes }))
}
process.exit()
