import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The requests and responses on some ports of this machine. Times are milliseconds of the kernel's clock. */
export interface PacketLog {
  /** The arrival time of each request. */
  readonly requests: readonly number[]
  /** The times at which bytes of responses were sent, and their number. */
  readonly sent: readonly (readonly [at: number, bytes: number])[]
  stop(): Promise<void>
}

/** A packet as `tcpdump -q -tt` prints it. */
const PACKET = /^(\d+\.\d+) IP 127\.0\.0\.1\.(\d+) > 127\.0\.0\.1\.(\d+): tcp (\d+)/

/**
 * Logs the packets of servers with the kernel's times, since times measured in a server would include its own stalls.
 * It needs tcpdump and root, and assumes that a request fits into one packet.
 */
export async function logPackets(ports: readonly number[]): Promise<PacketLog> {
  const requests: number[] = []
  const sent: (readonly [at: number, bytes: number])[] = []
  const filter = ports.map((port) => `tcp port ${port}`).join(' or ')
  const options = ['-i', 'lo', '-n', '-q', '-tt', '-l', '--immediate-mode', '-s', '100']
  const dump = spawn('tcpdump', [...options, filter], { stdio: ['ignore', 'pipe', 'pipe'] })
  const gone = once(dump, 'close')
  createInterface({ input: dump.stdout }).on('line', (line) => {
    const [, seconds = '', from, to, length] = PACKET.exec(line) ?? []
    const [at, bytes] = [Number(seconds) * 1_000, Number(length)]
    if (!(bytes > 0)) return
    if (ports.includes(Number(to))) requests.push(at)
    else if (ports.includes(Number(from))) sent.push([at, bytes])
  })
  await listening(dump.stderr)
  return {
    requests,
    sent,
    async stop() {
      dump.kill('SIGINT')
      await gone
    },
  }
}

/** Resolves when tcpdump reports that it listens. */
async function listening(stderr: NodeJS.ReadableStream): Promise<void> {
  let text = ''
  for await (const line of createInterface({ input: stderr })) {
    text += `${line}\n`
    if (line.includes('listening on')) return
  }
  throw new Error(`tcpdump: ${text}`)
}
