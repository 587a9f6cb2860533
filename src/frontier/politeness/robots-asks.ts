import type { RobotsReply } from '../../messages/messages.ts'
import { hostKey } from '../../url/host-key.ts'
import type { HostDirectory } from './host-directory.ts'
import type { HostQueue } from './host-queue.ts'
import type { RobotsAsk } from './robots-ask.ts'

/** RFC 9309, 2.3.1.2: at least five redirects in a row are followed. */
const MAX_REDIRECTS = 5

/** What is to be done with an answer: its host is free again, and another may be asked. */
interface Sequel {
  readonly answeredBy: HostQueue
  /** Where it goes on; undefined when the origin is done with. */
  readonly next?: HostQueue
}

/** Requests for robots.txt under way. Each is a request to the host of its URL, redirects too. */
export class RobotsAsks {
  readonly #hosts: HostDirectory
  readonly #underWay = new Map<string, { readonly host: HostQueue; readonly ask: RobotsAsk }>()

  constructor(hosts: HostDirectory) {
    this.#hosts = hosts
  }

  get size(): number {
    return this.#underWay.size
  }

  /** The first request for an origin: its host waits for the answer. */
  open(host: HostQueue, origin: string): void {
    host.robots.asking = origin
    host.asks.push({ origin, url: `${origin}/robots.txt`, redirects: 0 })
  }

  /** Hands out a request to a host; undefined when there is none. */
  take(host: HostQueue): RobotsAsk | undefined {
    const ask = host.asks.shift()
    if (ask === undefined) return undefined
    host.asked(false)
    this.#underWay.set(ask.origin, { host, ask })
    return ask
  }

  /** Takes in a reply to what was asked; undefined when nobody asked. */
  close(origin: string, reply: RobotsReply, now: number, isHasty: boolean): Sequel | undefined {
    const asked = this.#underWay.get(origin)
    if (asked === undefined) return undefined
    this.#underWay.delete(origin)
    const { host, ask } = asked
    const asker = this.#hosts.of(hostKey(`${origin}/`))
    if (reply.access !== 'disallow-all') host.availability.meet(ask.url)
    const patience = isHasty ? 0 : asker.availability.patienceWith(origin)
    if (reply.access !== 'moved') asker.robots.answer(origin, reply, now, { isHasty, patience })
    // The sixth redirect leads nowhere: the file is unavailable.
    else if (ask.redirects >= MAX_REDIRECTS)
      asker.robots.answer(origin, { access: 'allow-all' }, now)
    else return { answeredBy: host, next: this.#follow(ask, reply.to) }
    return { answeredBy: host }
  }

  #follow({ origin, redirects }: RobotsAsk, url: string): HostQueue {
    const host = this.#hosts.of(hostKey(url))
    host.asks.push({ origin, url, redirects: redirects + 1 })
    return host
  }
}
