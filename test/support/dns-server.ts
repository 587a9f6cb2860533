import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])
const NO_SUCH_NAME = 3
const SERVER_FAILURE = 2

/** The reply of a server for a record type: addresses in bytes, an alias without an address, no reply, or a failure. */
type Says = readonly (readonly number[])[] | 'alias' | 'silent' | 'failed'

/** A name in the form of RFC 1035, 3.1. */
const ALIAS = [5, ...Buffer.from('alias'), 7, ...Buffer.from('invalid'), 0]

/** The records of a name, and the delay of the reply in milliseconds, 0 by default. */
export interface KnownName {
  readonly A?: Says
  readonly AAAA?: Says
  readonly after?: number
}

/** The names of a server; there are no others. */
export type Zone = Readonly<Record<string, KnownName>>

export interface DnsServer {
  /** Address and port. */
  readonly server: string
  /** Name and type of each query. */
  readonly queries: readonly string[]
  close(): Promise<void>
}

/** Starts a name server on loopback. */
export async function startDnsServer(
  zone: Zone,
  at = { address: '127.0.0.1', port: 0 },
): Promise<DnsServer> {
  const queries: string[] = []
  const socket = await answerNames((name, type) => {
    queries.push(`${name} ${type}`)
    return zone[name]
  }, at)
  return {
    server: `${at.address}:${socket.address().port}`,
    queries,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Replies to queries with the records that `known` returns for a name; undefined if the name doesn't exist. */
export async function answerNames(
  known: (name: string, type: string) => KnownName | undefined,
  at: { readonly address: string; readonly port: number },
): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query)
    const found = known(name, type)
    const says = type === 'A' ? found?.A : found?.AAAA
    if (says === 'silent') return
    const code = says === 'failed' ? SERVER_FAILURE : found === undefined ? NO_SUCH_NAME : 0
    const answers = says === 'alias' ? [ALIAS] : typeof says === 'object' ? says : []
    const answer = answerTo(query.subarray(0, end), code, answers)
    if (found?.after === undefined) socket.send(answer, port, address)
    else setTimeout(() => socket.send(answer, port, address), found.after)
  })
  socket.bind(at)
  await once(socket, 'listening')
  return socket
}

/** Returns the first question of a query (RFC 1035, 4.1.2), and where it ends. */
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
  const records = answers.map((data) => {
    const type = data === ALIAS ? 5 : data.length === 4 ? 1 : 28
    // The name is that of the question; class IN; time to live one minute.
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
  })
  return Buffer.concat([head, ...records])
}
