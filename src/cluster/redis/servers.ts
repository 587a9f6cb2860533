import { createHash, randomUUID } from 'node:crypto'
import type { Logger } from '../../logger.ts'
import { Connection } from './connection.ts'
import { checkVersion } from './server-checks.ts'

/** The name that a server gives itself, whatever address it is reached at. */
const ID_KEY = 'ow:server'

interface Server {
  readonly id: string
  readonly connection: Connection
}

/** The Redis servers that jobs are spread over. */
export class Servers {
  readonly #servers: readonly Server[]
  readonly #places = new Map<string, Connection>()

  private constructor(servers: readonly Server[]) {
    this.#servers = servers
  }

  /** @throws CrawlerError('redis') when one of them can't be reached */
  static async open(urls: readonly string[], logger: Logger): Promise<Servers> {
    const opened = await Promise.allSettled(urls.map((url) => openServer(url, logger)))
    const servers = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const failure = opened.find((each) => each.status === 'rejected')
    if (failure !== undefined) {
      for (const { connection } of servers) connection.close()
      throw failure.reason
    }
    // Two addresses of one server, or two nodes of one cluster, are one.
    const distinct = new Map(servers.map((each) => [each.id, each]))
    for (const each of servers) {
      if (distinct.get(each.id) !== each) each.connection.close()
    }
    return new Servers([...distinct.values()])
  }

  get all(): readonly Connection[] {
    return this.#servers.map(({ connection }) => connection)
  }

  /** The servers by their own names, in an order that doesn't depend on how they were typed. */
  get ids(): string {
    return this.#servers
      .map(({ id }) => id)
      .toSorted()
      .join()
  }

  /** The server that is in charge of a name. */
  of(name: string): Connection {
    const place = this.#places.get(name) ?? this.#choose(name)
    this.#places.set(name, place)
    return place
  }

  #choose(name: string): Connection {
    const weighed = this.#servers.map((each) => ({ ...each, weight: weight(each.id, name) }))
    const [heaviest] = weighed.toSorted((a, b) => b.weight - a.weight)
    if (heaviest === undefined) throw new Error('no servers')
    return heaviest.connection
  }

  close(): void {
    for (const { connection } of this.#servers) connection.close()
  }
}

/** Rendezvous hashing (Thaler & Ravishankar 1998): a further server takes its share from all, and no other moves. */
export function weight(server: string, name: string): number {
  return createHash('sha256').update(`${server} ${name}`).digest().readUIntBE(0, 6)
}

async function openServer(url: string, logger: Logger): Promise<Server> {
  const connection = await Connection.open(url, logger)
  try {
    for (const info of await connection.info()) checkVersion(connection.label, info)
    const id = () => connection.command(ID_KEY, 'GET', ID_KEY)
    // One that is out of memory may be asked, and told nothing.
    if ((await id()) === null) await connection.command(ID_KEY, 'SET', ID_KEY, randomUUID(), 'NX')
    return { id: String(await id()), connection }
  } catch (error) {
    connection.close()
    throw error
  }
}
