import { join } from 'node:path'
import { loadProgram } from './load-program.ts'

/** The entry of all threads but the main one. Their first argument is the path of their program, relative to here. */
loadProgram(join(import.meta.dirname, process.argv[2] ?? ''))
