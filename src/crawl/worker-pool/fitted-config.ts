import type { Config } from '../../config/schema.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'

/** A config that fits the limits of the system, and what these leave to a worker. */
export type FittedConfig = Config &
  Pick<WorkerSetup, 'maxSockets' | 'lacksAddresses'> & {
    /** False if there is no room for workers beside these. */
    readonly hasSpareRoom?: boolean
  }
