import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads'
import { CrawlerError, codeOf } from '../../errors.ts'

// No module imports the programs of threads: they are loaded by their file names. Even if this program runs from source,
// threads run the built code: its few files start in half the time of a hundred, and tests start hundreds of threads.
const ENTRY = import.meta.url.endsWith('.ts') ? '../../../dist/thread.cjs' : './thread.cjs'

/** A thread, and the port for its messages. */
interface StartedThread {
  readonly worker: Worker
  readonly port: MessagePort
}

/**
 * Starts a thread.
 * @param program name of its file in `dist/`
 * @param setup its data, to which its port is added
 * @throws CrawlerError('usage') if the system refuses it
 */
export function startThread(program: string, setup: object, options: WorkerOptions): StartedThread {
  const { port1, port2 } = new MessageChannel()
  try {
    const worker = new Worker(new URL(ENTRY, import.meta.url), {
      ...options,
      argv: [program],
      workerData: { ...setup, port: port2 },
      transferList: [port2],
    })
    return { worker, port: port1 }
  } catch (error) {
    if (codeOf(error) !== 'ERR_WORKER_INIT_FAILED') throw error
    const message =
      'the limit of threads (ulimit -u, or that of processes of a container): expected room for another thread, got none'
    throw new CrawlerError('usage', message, { cause: error })
  }
}
