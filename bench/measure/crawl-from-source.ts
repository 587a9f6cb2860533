import { main } from '../../src/cli/main.ts'

/** The command line program from source, where each function still stands in the file of its stage. */
process.exitCode = await main()
