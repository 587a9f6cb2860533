import { addressContract } from './contract/addresses.ts'
import { failingHostContract } from './contract/failing-hosts.ts'
import { outageContract } from './contract/outages.ts'
import { politenessContract } from './contract/politeness.ts'
import { resourceContract } from './contract/resources.ts'
import { robotsContract } from './contract/robots.ts'
import { settlingContract } from './contract/settling.ts'
import { shortestPathContract } from './contract/shortest-paths.ts'
import type { OpenFrontier } from './open-frontier.ts'

/** Tests the behavior of every frontier that the crawl relies on. */
export function frontierContract(openFrontier: OpenFrontier): void {
  settlingContract(openFrontier)
  shortestPathContract(openFrontier)
  resourceContract(openFrontier)
  hostContract(openFrontier)
}

/** Tests the part of the contract about single hosts, which also applies to a frontier that shares its URLs. */
export function hostContract(openFrontier: OpenFrontier): void {
  politenessContract(openFrontier)
  robotsContract(openFrontier)
  failingHostContract(openFrontier)
  addressContract(openFrontier)
  outageContract(openFrontier)
}
