import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { loadProgram } from './load-program.ts'

/**
 * The entry of all threads but the main one. Their first argument is the path of their program, relative to here. The
 * only message that the parent gets says that no more code is to be cached; all others use a port of their own.
 */
const program = join(import.meta.dirname, process.argv[2] ?? '')
loadProgram(program, () => parentPort?.postMessage('kept'))
