import type { DatabaseSync } from 'node:sqlite'
import type { Delivery } from '../records/delivery.ts'
import type { Positions } from '../state/ledger.ts'
import type { Output } from './output.ts'
import { StoredVisits } from './stored-visits.ts'

/** Stores visits for the outputs that are made at the end. */
export class VisitSpool implements Output {
  readonly congested = false
  readonly visits: StoredVisits

  constructor(database: DatabaseSync) {
    this.visits = new StoredVisits(database)
  }

  open(): void {}

  write(visits: readonly Delivery[]): void {
    for (const visit of visits) this.visits.put(visit)
  }

  async sync(): Promise<Positions> {
    return {}
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {}
}
