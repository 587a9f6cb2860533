import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

/** Number of threads that the system allows; see `maxThreads`. */
let left = Number(process.env['MAX_THREADS'])

/** Fails like Node if the system refuses a thread, as it does at the limit of `ulimit -u`. */
class LimitedWorker extends threads.Worker {
  constructor(...args: ConstructorParameters<typeof threads.Worker>) {
    if (left-- <= 0) {
      throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
    }
    super(...args)
  }
}

threads.Worker = LimitedWorker
syncBuiltinESMExports()
