import { hash, randomUUID } from 'node:crypto'
import type { Logger } from '../../logger.ts'
import { RetryingClient } from './retrying-client.ts'
import { checkVersion } from './server-checks.ts'

/** Key of a server's id, which is the same at all of its addresses. */
const ID_KEY = 'ow:server'

interface Server {
  readonly id: string
  readonly connection: RetryingClient
}

/** The Redis servers over which jobs are spread. Rendezvous hashing chooses the server of a key. */
export class Servers {
  readonly #servers: readonly Server[]
  readonly #places = new Map<string, RetryingClient>()

  private constructor(servers: readonly Server[]) {
    this.#servers = servers
  }

  /**
   * @param patience milliseconds after which a call to a server that is unavailable fails
   * @throws CrawlerError('redis') if one of them can't be reached
   */
  static async open(
    urls: readonly string[],
    logger: Logger,
    patience = Number.POSITIVE_INFINITY,
  ): Promise<Servers> {
    const opened = await Promise.allSettled(urls.map((url) => openServer(url, logger, patience)))
    const servers = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const failure = opened.find((each) => each.status === 'rejected')
    if (failure !== undefined) {
      for (const { connection } of servers) connection.close()
      throw failure.reason
    }
    // Two addresses may lead to one server, or to two nodes of one cluster.
    const distinct = new Map(servers.map((each) => [each.id, each]))
    for (const each of servers) {
      if (distinct.get(each.id) !== each) each.connection.close()
    }
    return new Servers([...distinct.values()])
  }

  get all(): readonly RetryingClient[] {
    return this.#servers.map(({ connection }) => connection)
  }

  /** The ids of the servers, in an order that doesn't depend on the order of their URLs. */
  get ids(): string {
    return this.#servers
      .map(({ id }) => id)
      .toSorted()
      .join()
  }

  /** Returns the server of a key. */
  of(name: string): RetryingClient {
    const place = this.#places.get(name) ?? this.#choose(name)
    this.#places.set(name, place)
    return place
  }

  #choose(name: string): RetryingClient {
    const weighed = this.#servers.map((each) => ({ ...each, weight: weight(each.id, name) }))
    const [heaviest] = weighed.toSorted((a, b) => b.weight - a.weight)
    if (heaviest === undefined) throw new Error('no servers')
    return heaviest.connection
  }

  close(): void {
    for (const { connection } of this.#servers) connection.close()
  }
}

/**
 * Returns the weight of a server for a key (Thaler & Ravishankar 1998). A new server takes its share from all others.
 */
export function weight(server: string, name: string): number {
  return hash('sha256', `${server} ${name}`, 'buffer').readUIntBE(0, 6)
}

async function openServer(url: string, logger: Logger, patience: number): Promise<Server> {
  const connection = await RetryingClient.open(url, logger, patience)
  try {
    for (const info of await connection.info()) checkVersion(connection.label, info)
    const id = () => connection.command(ID_KEY, 'GET', ID_KEY)
    // The id is read first, since a server that is out of memory can still be read.
    if ((await id()) === null) await connection.command(ID_KEY, 'SET', ID_KEY, randomUUID(), 'NX')
    return { id: String(await id()), connection }
  } catch (error) {
    connection.close()
    throw error
  }
}
