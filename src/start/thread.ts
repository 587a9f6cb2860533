import { join } from 'node:path'
import { loadProgram } from './load-program.ts'

/** The entry of all threads but the main one. Their program is named by their first argument, as a path from here. */
loadProgram(join(import.meta.dirname, process.argv[2] ?? ''))
