import { addressContract } from './contract/addresses.ts'
import { failingHostContract } from './contract/failing-hosts.ts'
import { outageContract } from './contract/outages.ts'
import { politenessContract } from './contract/politeness.ts'
import { resourceContract } from './contract/resources.ts'
import { robotsContract } from './contract/robots.ts'
import { settlingContract } from './contract/settling.ts'
import { shortestPathContract } from './contract/shortest-paths.ts'
import type { OpenFrontier } from './open-frontier.ts'

/** What the crawl relies on, for every frontier. */
export function frontierContract(openFrontier: OpenFrontier): void {
  settlingContract(openFrontier)
  shortestPathContract(openFrontier)
  resourceContract(openFrontier)
  hostContract(openFrontier)
}

/** The part of the contract that holds for each host by itself, for a frontier that shares its URLs, too. */
export function hostContract(openFrontier: OpenFrontier): void {
  politenessContract(openFrontier)
  robotsContract(openFrontier)
  failingHostContract(openFrontier)
  addressContract(openFrontier)
  outageContract(openFrontier)
}
