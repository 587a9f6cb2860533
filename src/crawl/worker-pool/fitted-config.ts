import type { Config } from '../../config/schema.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'

/** A config that fits the limits of the system, with the resources that these leave for a worker. */
export type FittedConfig = Config &
  Pick<WorkerSetup, 'maxSockets' | 'lacksAddresses'> & {
    /** False if there is no room for workers in addition to `workers`. */
    readonly hasSpareRoom?: boolean
  }
