import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])
const NO_SUCH_NAME = 3
const SERVER_FAILURE = 2

/** What a server says of a type of record: addresses in bytes, nothing at all, or that it has failed. */
type Says = readonly (readonly number[])[] | 'silent' | 'failed'

/** What a server knows of names; there are no others. */
export type Zone = Readonly<Record<string, { readonly A?: Says; readonly AAAA?: Says }>>

export interface DnsServer {
  /** Address and port. */
  readonly server: string
  /** Name and type of each query. */
  readonly queries: readonly string[]
  close(): Promise<void>
}

/** A name server on loopback. */
export async function startDnsServer(
  zone: Zone,
  at = { address: '127.0.0.1', port: 0 },
): Promise<DnsServer> {
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query)
    queries.push(`${name} ${type}`)
    const known = zone[name]
    const says = type === 'A' ? known?.A : known?.AAAA
    if (says === 'silent') return
    const code = says === 'failed' ? SERVER_FAILURE : known === undefined ? NO_SUCH_NAME : 0
    const answers = typeof says === 'object' ? says : []
    socket.send(answerTo(query.subarray(0, end), code, answers), port, address)
  })
  socket.bind(at)
  await once(socket, 'listening')
  return {
    server: `${at.address}:${socket.address().port}`,
    queries,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** The first question of a query (RFC 1035, 4.1.2), and where it ends. */
function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'))
    at += 1 + length
  }
  const type = TYPES.get(query.readUInt16BE(at + 1)) ?? 'other'
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

function answerTo(question: Buffer, code: number, answers: readonly (readonly number[])[]): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(answers.length, 6)
  head.writeUInt32BE(0, 8)
  const records = answers.map((address) => {
    const type = address.length === 4 ? 1 : 28
    // The name is that of the question; class IN, a minute to live.
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address])
  })
  return Buffer.concat([head, ...records])
}
