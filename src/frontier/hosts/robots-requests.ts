import type { RobotsReply } from '../../messages/from-worker.ts'
import type { RobotsRequest } from '../../messages/to-worker.ts'
import { hostKey } from '../../url/host-key.ts'
import type { HostDirectory } from './host-directory.ts'
import type { HostQueue } from './host-queue.ts'
import type { RobotsTarget } from './host-robots.ts'
import type { AllowedRetries } from './robots-retry.ts'

/** RFC 9309, 2.3.1.2: at least five redirects in a row are followed. */
const MAX_REDIRECTS = 5

/** The hosts that a reply concerns. */
interface RobotsSequel {
  /** The host whose request has ended. */
  readonly answeredBy: HostQueue
  /** The host that gets the next request after a redirect; undefined if there was no redirect. */
  readonly next?: HostQueue
}

/** The requests for robots.txt in flight. Each counts as a request to the host of its URL, also after a redirect. */
export class RobotsRequests {
  readonly #hosts: HostDirectory
  readonly #inFlight = new Map<
    string,
    { readonly host: HostQueue; readonly request: RobotsTarget }
  >()

  constructor(hosts: HostDirectory) {
    this.#hosts = hosts
  }

  get size(): number {
    return this.#inFlight.size
  }

  /** Queues the first request for an origin: its host waits for the answer. */
  queue(host: HostQueue, origin: string): void {
    host.robots.wait()
    host.robotsRequests.push({ origin, url: `${origin}/robots.txt`, redirects: 0 })
  }

  /** Begins and returns the next request to a host; undefined if none is queued. */
  begin(host: HostQueue): RobotsRequest | undefined {
    const request = host.robotsRequests.shift()
    if (request === undefined) return undefined
    host.began()
    const { origin, url } = request
    this.#inFlight.set(origin, { host, request })
    return { type: 'robots', origin, url }
  }

  /** Applies the reply to a request. Returns undefined if there was no request for this origin in flight. */
  end(
    origin: string,
    reply: RobotsReply,
    now: number,
    retries: AllowedRetries,
  ): RobotsSequel | undefined {
    const inFlight = this.#inFlight.get(origin)
    if (inFlight === undefined) return undefined
    this.#inFlight.delete(origin)
    const { host, request } = inFlight
    const owner = this.#hosts.load(hostKey(`${origin}/`))
    if (reply.access !== 'disallow-all') host.availability.answeredRobots(request.url)
    const patience = retries !== 'all' ? 0 : owner.availability.patienceMsFor(origin)
    if (reply.access !== 'moved') owner.robots.answer(origin, reply, now, { retries, patience })
    // The sixth redirect is not followed: the file counts as unavailable.
    else if (request.redirects >= MAX_REDIRECTS)
      owner.robots.answer(origin, { access: 'allow-all' }, now)
    else return { answeredBy: host, next: this.#follow(request, reply.to) }
    return { answeredBy: host }
  }

  #follow({ origin, redirects }: RobotsTarget, url: string): HostQueue {
    const host = this.#hosts.load(hostKey(url))
    host.robotsRequests.push({ origin, url, redirects: redirects + 1 })
    return host
  }
}
