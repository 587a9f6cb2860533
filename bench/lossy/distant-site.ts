import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Requests, SERVER_ADDRESS, type Site } from './site.ts'

const SERVER = fileURLToPath(new URL('./site-server.ts', import.meta.url))
const RELAY = fileURLToPath(new URL('./relay.py', import.meta.url))

const NEAR_ADDRESS = '192.0.2.1'
const NETWORK = '192.0.2.0/24'
/** Linux's default, which most servers use, even if this machine has another setting. */
const CONGESTION_CONTROL = 'cubic'

/** A line between two networks. */
export interface Line {
  /** Milliseconds between sending a packet and the earliest arrival of its response. */
  readonly roundTrip: number
  /** Share of the packets that are lost, in each direction. */
  readonly loss: number
  readonly seed: number
}

/** The packets of a line. */
export interface Traffic {
  readonly packets: number
  readonly lost: number
}

/** A site in a network of its own. A line connects it with the network of this process. */
export class DistantSite {
  readonly #server: ChildProcess
  readonly #relay: ChildProcess
  readonly #reports: AsyncIterator<string>

  private constructor(server: ChildProcess, relay: ChildProcess, reports: AsyncIterator<string>) {
    this.#server = server
    this.#relay = relay
    this.#reports = reports
  }

  static async start(site: Site, line: Line): Promise<DistantSite> {
    const server = spawnServer(site)
    await once(server, 'message')
    const pid = String(server.pid)
    const settings = [line.roundTrip / 2, line.loss, line.seed].map(String)
    const args = [RELAY, 'near', 'far', pid, ...settings]
    const relay = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] })
    relay.once('exit', failLoudly)
    const reports = createInterface({ input: relay.stdout })[Symbol.asyncIterator]()
    await reports.next()
    setUp([], 'near', NEAR_ADDRESS)
    setUp(['nsenter', `--net=/proc/${pid}/ns/net`], 'far', SERVER_ADDRESS)
    return new DistantSite(server, relay, reports)
  }

  async requests(): Promise<Requests> {
    this.#server.send('report')
    const [report] = await once(this.#server, 'message')
    return report
  }

  /** Closes the line and the site. Returns the traffic of the line. */
  async close(): Promise<Traffic> {
    const ended = [this.#relay, this.#server].map((child) => {
      child.removeListener('exit', failLoudly)
      return once(child, 'exit')
    })
    this.#relay.stdin?.end()
    const { value } = await this.#reports.next()
    this.#server.disconnect()
    await Promise.all(ended)
    const [packets = 0, lost = 0] = String(value).split(' ').map(Number)
    return { packets, lost }
  }
}

function spawnServer(site: Site): ChildProcess {
  const command = ['--net', process.execPath, SERVER, JSON.stringify(site)]
  const server = spawn('unshare', command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return server.once('exit', failLoudly)
}

function failLoudly(): void {
  throw new Error('the server or the relay ended too early')
}

/** Sets the address of one end of the line. @param entering the command that enters the network of this end */
function setUp(entering: readonly string[], device: string, address: string): void {
  const commands = [
    ['addr', 'add', `${address}/24`, 'dev', device],
    ['link', 'set', device, 'up'],
    ['route', 'replace', NETWORK, 'dev', device, 'congctl', CONGESTION_CONTROL],
  ]
  for (const command of commands) {
    const [program = '', ...args] = [...entering, 'ip', ...command]
    execFileSync(program, args)
  }
}
