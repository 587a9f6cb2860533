import { Readable, Writable } from 'node:stream'
import { main } from '../../src/cli/main.ts'
import { type CrawlRun, EndedRun, oneWorker } from './run-cli.ts'

/**
 * Runs the command line from within this process, in a world of its own, and waits for its end: what `runCrawl`
 * shows of it, at half the price. For all but signals, pipes, terminals, and one process beside another.
 */
export async function callCrawl(args: readonly string[], stdin = ''): Promise<CrawlRun> {
  const [stdout, stderr] = [new Kept(), new Kept()]
  const code = await main({
    ...{
      args: oneWorker(args),
      stdin: Readable.from([stdin]),
      stdout,
      stderr,
      canMoveCursor: false,
    },
    onInterrupt: () => () => {},
    exit: (code) => {
      throw new Error(`ended at once, with ${code}`)
    },
  })
  return new EndedRun(code, stdout.text, stderr.text)
}

/** A stream that keeps what is written to it. */
class Kept extends Writable {
  text = ''

  constructor() {
    super({ decodeStrings: false })
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk
    done()
  }
}
