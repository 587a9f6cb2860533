import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lastingPort } from './listen.ts'
import { RedisServer, redisFolder, startAll, startOnFreePorts } from './redis-server.ts'
import type { TcpProxy } from './tcp-proxy.ts'

const NODES = 3
const SLOTS = 16_384
/** Logged by a node without replicas when it knows all others, at least two seconds after its start. */
const READY = 'Cluster state changed: ok'

/** A Redis Cluster of three nodes on loopback, without replicas. */
export class RedisCluster {
  readonly #nodes: readonly RedisServer[]
  #kills = 0

  private constructor(nodes: readonly RedisServer[]) {
    this.#nodes = nodes
  }

  /** @param args further options of redis-server, such as `--appendonly yes` */
  static start(...args: string[]): Promise<RedisCluster> {
    return RedisCluster.onPortsOf(lastingPort, ...args)
  }

  /**
   * Starts a cluster on chosen ports.
   * @param choose returns a port for clients or the other nodes; called again if a port is taken
   */
  static onPortsOf(choose: () => Promise<number>, ...args: string[]): Promise<RedisCluster> {
    return RedisCluster.#start(
      () => freePlaces(choose),
      () => args,
    )
  }

  /**
   * Starts a cluster that speaks only TLS.
   * @param args its files
   */
  static overTls(...args: string[]): Promise<RedisCluster> {
    return RedisCluster.#start(freePlaces, ({ port }) => [
      ...['--port', '0', '--tls-port', `${port}`, '--tls-cluster', 'yes'],
      ...args,
    ])
  }

  /** Starts a cluster behind proxies, one for each node, whose addresses are announced to clients. */
  static behind(proxies: readonly TcpProxy[], ...args: string[]): Promise<RedisCluster> {
    const choose = async () => {
      const places = await freePlaces()
      for (const [index, proxy] of proxies.entries()) proxy.target = places[index]?.port ?? 0
      return places.map((place, index) => ({ ...place, announcedPort: proxies[index]?.port ?? 0 }))
    }
    return RedisCluster.#start(choose, ({ announcedPort }) => [
      ...['--cluster-announce-port', `${announcedPort}`],
      ...args,
    ])
  }

  static #start(
    choose: () => Promise<Place[]>,
    argsOf: (place: Place) => readonly string[],
  ): Promise<RedisCluster> {
    return startOnFreePorts(async () => {
      const places = await choose()
      const nodes = await Promise.all(places.map((own) => nodeAt(own, places, argsOf(own))))
      await startAll(nodes)
      return new RedisCluster(nodes)
    })
  }

  /** The URL of one of the nodes. */
  get url(): string {
    return this.#nodes[0]?.url ?? ''
  }

  /** Returns the replies of all nodes to `redis-cli`, in order. */
  async ask(...words: string[]): Promise<string> {
    return (await Promise.all(this.#nodes.map((node) => node.ask(...words)))).join('')
  }

  /** Kills a node, each time another one. */
  async kill(): Promise<void> {
    await this.#nodes[++this.#kills % NODES]?.kill()
  }

  /** Restarts the node that was killed last. */
  async run(): Promise<void> {
    await this.#nodes[this.#kills % NODES]?.run()
  }

  /**
   * Begins to move the slot of a key to another node, and moves some of its keys.
   * @param isFirst chooses them
   * @returns moves the others
   */
  async beginMove(key: string, isFirst: (key: string) => boolean): Promise<() => Promise<void>> {
    const slot = Number(await this.#nodes[0]?.ask('CLUSTER', 'KEYSLOT', key))
    const from = this.#nodes.findIndex((_, index) => slot < rangeOf(index)[1])
    const to = (from + 1) % NODES
    const [source, target] = [this.#nodes[from], this.#nodes[to]]
    const set = (...words: string[]) => ['CLUSTER', 'SETSLOT', `${slot}`, ...words]
    await target?.ask(...set('IMPORTING', idOf(from)))
    await source?.ask(...set('MIGRATING', idOf(to)))
    const move = async (keys: readonly string[]) => {
      const address = ['127.0.0.1', String(target?.port), '', '0', '5000', 'KEYS']
      if (keys.length > 0) await source?.ask('MIGRATE', ...address, ...keys)
    }
    const keys = async () =>
      (await source?.ask('CLUSTER', 'GETKEYSINSLOT', `${slot}`, '1000'))?.trim().split('\n') ?? []
    await move((await keys()).filter(isFirst))
    return async () => {
      await move(await keys())
      await this.ask(...set('NODE', idOf(to)))
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()))
  }
}

/** The ports on which a node listens for clients and for other nodes. */
interface Place {
  readonly port: number
  readonly busPort: number
  /** Port that is announced to clients. */
  readonly announcedPort: number
}

async function freePlaces(choose = lastingPort): Promise<Place[]> {
  const places: Place[] = []
  while (places.length < NODES) {
    const port = await choose()
    places.push({ port, busPort: await choose(), announcedPort: port })
  }
  return places
}

/** Starts a node with a file that contains what it would learn from CLUSTER MEET and ADDSLOTS. */
async function nodeAt(
  own: Place,
  places: readonly Place[],
  args: readonly string[],
): Promise<RedisServer> {
  const folder = await redisFolder()
  const known = places.map((place, index) => lineOf(index, place, place === own))
  await writeFile(
    join(folder, 'nodes.conf'),
    `${known.join('\n')}\nvars currentEpoch ${NODES} lastVoteEpoch 0\n`,
  )
  const options = ['--cluster-enabled', 'yes', '--cluster-port', `${own.busPort}`]
  const patience = ['--cluster-node-timeout', '2000']
  return new RedisServer(own.port, folder, [...options, ...patience, ...args], READY)
}

/** Returns a line of `nodes.conf`. */
function lineOf(index: number, { announcedPort, busPort }: Place, isOwn: boolean): string {
  const [from, to] = rangeOf(index)
  const flags = isOwn ? 'myself,master' : 'master'
  const slots = `${from}-${to - 1}`
  return `${idOf(index)} 127.0.0.1:${announcedPort}@${busPort} ${flags} - 0 0 ${index + 1} connected ${slots}`
}

function idOf(index: number): string {
  return String(index + 1).repeat(40)
}

/** Returns the first slot of a node, and the first slot of the next one. */
function rangeOf(index: number): readonly [from: number, to: number] {
  const firstOf = (each: number) => Math.floor((each * SLOTS) / NODES)
  return [firstOf(index), firstOf(index + 1)]
}
