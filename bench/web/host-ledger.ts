/** The counts of a server over all hosts. */
export interface ServerCounts {
  readonly requests: number
  /** Responses with the status 304. */
  readonly unchanged: number
  readonly bytes: number
  /** Seconds from the first request to the last response. */
  readonly seconds: number
  /** Number of hosts with at least one request. */
  readonly hosts: number
  readonly mostInFlight: number
  /** The shortest time from the end of a host's response to its next request, in milliseconds. */
  readonly leastGap: number
  /** Number of requests to a host while a request of another process was in flight there. */
  readonly overlappingRequests: number
  /** Number of requests that were sent to the address of another host. */
  readonly misdirected: number
  readonly connections: number
  readonly mostConnections: number
  readonly resumed: number
  /** Full TLS handshakes of all hosts, and of the host with most of them. */
  readonly handshakes: number
  readonly mostHandshakes: number
}

/** Counts requests, connections and TLS handshakes of each host. */
export class HostLedger {
  readonly #requests: Uint32Array
  readonly #inFlight: Uint16Array
  readonly #mostInFlight: Uint16Array
  readonly #agents: Uint8Array
  readonly #lastEnd: Float64Array
  readonly #leastGap: Float32Array
  readonly #handshakes: Uint16Array
  readonly #agentNumbers = new Map<string, number>()
  /** The times at which processes were killed, by the hosts at which they had requests in flight. */
  readonly #orphans = new Map<number, number>()
  readonly #takeovers: number[] = []
  #open = 0
  #firstRequest = 0
  #lastResponse = 0
  #counts = noCounts(0)

  constructor(hosts: number) {
    this.#requests = new Uint32Array(hosts)
    this.#inFlight = new Uint16Array(hosts)
    this.#mostInFlight = new Uint16Array(hosts)
    this.#agents = new Uint8Array(hosts)
    this.#lastEnd = new Float64Array(hosts)
    this.#leastGap = new Float32Array(hosts).fill(Number.POSITIVE_INFINITY)
    this.#handshakes = new Uint16Array(hosts)
  }

  connected(): void {
    this.#counts.connections++
    this.#open++
    this.#counts.mostConnections = Math.max(this.#counts.mostConnections, this.#open)
  }

  disconnected(): void {
    this.#open--
  }

  shookHands(host: number, isResumed: boolean): void {
    if (isResumed) this.#counts.resumed++
    else this.#handshakes[host] = (this.#handshakes[host] ?? 0) + 1
  }

  /**
   * Counts a request.
   * @param agent the User-Agent, which identifies the process
   * @param isOwn true if the request names this host
   */
  began(host: number, agent: string, isOwn: boolean): void {
    const number = this.#numberOf(agent)
    const inFlight = this.#inFlight[host] ?? 0
    const last = this.#lastEnd[host] ?? 0
    this.#firstRequest ||= performance.now()
    if (inFlight > 0 && this.#agents[host] !== number) this.#counts.overlappingRequests++
    if (last > 0) {
      const gap = performance.now() - last
      this.#leastGap[host] = Math.min(this.#leastGap[host] ?? 0, gap)
    }
    this.#takenOver(host, number)
    this.#agents[host] = number
    this.#inFlight[host] = inFlight + 1
    this.#mostInFlight[host] = Math.max(this.#mostInFlight[host] ?? 0, inFlight + 1)
    this.#requests[host] = (this.#requests[host] ?? 0) + 1
    this.#counts.requests++
    if (!isOwn) this.#counts.misdirected++
  }

  ended(host: number, status: number, bytes: number): void {
    this.#inFlight[host] = (this.#inFlight[host] ?? 1) - 1
    this.#lastResponse = performance.now()
    this.#lastEnd[host] = this.#lastResponse
    this.#counts.bytes += bytes
    if (status === 304) this.#counts.unchanged++
  }

  /** Records that a process was killed, whose hosts now wait for another process. */
  killed(agent: string): void {
    const number = this.#numberOf(agent)
    for (let host = 0; host < this.#agents.length; host++) {
      if (this.#agents[host] === number && (this.#inFlight[host] ?? 0) > 0)
        this.#orphans.set(host, performance.now())
    }
  }

  /** For each host, the milliseconds from the death of a process to the next request of another one. */
  get takeovers(): readonly number[] {
    return this.#takeovers
  }

  /** Number of hosts of killed processes that no process has requested since. */
  get orphans(): number {
    return this.#orphans.size
  }

  get counts(): ServerCounts {
    return {
      ...this.#counts,
      seconds: (this.#lastResponse - this.#firstRequest) / 1_000,
      hosts: this.#requests.reduce((count, requests) => count + Number(requests > 0), 0),
      mostInFlight: this.#mostInFlight.reduce((a, b) => Math.max(a, b)),
      leastGap: this.#leastGap.reduce((least, gap) => Math.min(least, gap), Number.MAX_VALUE),
      handshakes: this.#handshakes.reduce((a, b) => a + b),
      mostHandshakes: this.#handshakes.reduce((a, b) => Math.max(a, b)),
    }
  }

  /** Resets all counts for another crawl. */
  forget(): void {
    this.#firstRequest = 0
    this.#requests.fill(0)
    this.#mostInFlight.fill(0)
    this.#lastEnd.fill(0)
    this.#leastGap.fill(Number.POSITIVE_INFINITY)
    this.#handshakes.fill(0)
    this.#takeovers.length = 0
    this.#counts = noCounts(this.#open)
  }

  #takenOver(host: number, agent: number): void {
    const since = this.#orphans.get(host)
    if (since === undefined || this.#agents[host] === agent) return
    this.#takeovers.push(performance.now() - since)
    this.#orphans.delete(host)
  }

  #numberOf(agent: string): number {
    const known = this.#agentNumbers.get(agent)
    if (known !== undefined) return known
    this.#agentNumbers.set(agent, this.#agentNumbers.size + 1)
    return this.#agentNumbers.size
  }
}

function noCounts(mostConnections: number) {
  return {
    ...{ requests: 0, unchanged: 0, bytes: 0, overlappingRequests: 0, misdirected: 0 },
    ...{ connections: 0, mostConnections, resumed: 0 },
  }
}
