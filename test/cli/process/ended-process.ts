import { Worker } from 'node:worker_threads'
import { endProcess } from '../../../src/cli/process/end-process.ts'

/** A process that ends with exit code 7 while a thread starts one thread after another, as each call of a hook does. */
const thread = new Worker(
  `const { createContext, runInContext } = require('node:vm')
   const context = createContext({})
   require('node:worker_threads').parentPort.postMessage('started')
   for (;;) runInContext('0', context, { timeout: 60_000 })`,
  { eval: true },
)
thread.once('message', () => endProcess(7))
