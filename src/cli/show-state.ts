import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CrawlerError, exportedFrom, reportOn } from '../index.ts'
import { EXIT_CODE, EXIT_CODE_OF } from './exit-code.ts'
import type { StateFlags } from './state-command.ts'
import type { World } from './world.ts'

type Report = ReturnType<typeof reportOn>

/** Carries out `crawl state`; gives the exit code. */
export async function showState(path: string, flags: StateFlags, world: World): Promise<number> {
  try {
    const lines = flags.export === undefined ? shown(path, flags) : exported(path, flags.export)
    await pipeline(Readable.from(lines), world.stdout, { end: false }).catch(heedReader)
    return EXIT_CODE.done
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error
    world.stderr.write(`crawl: ${error.message}\n`)
    return EXIT_CODE_OF[error.kind]
  }
}

/** A reader that has gone wants no more: no error. */
function heedReader(error: NodeJS.ErrnoException): void {
  const isGone = error.code === 'EPIPE' || error.code === 'ECONNRESET'
  if (!isGone && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}

function exported(path: string, what: string): Iterable<string> {
  if (what === 'visits' || what === 'queue') return exportedFrom(path, what)
  throw new CrawlerError('usage', `--export: expected visits or queue, got \`${what}\``)
}

function shown(path: string, { json }: StateFlags): string[] {
  const report = reportOn(path)
  return [json ? `${JSON.stringify(report)}\n` : table(report)]
}

function table({ progress, tally, urls, hosts, queues, seen, files }: Report): string {
  const rows: [string, string | number][] = [
    ['progress', progress],
    ['time', `${Math.round(tally.elapsedMs / 1_000)} s`],
    ['records', tally.visits],
    ...Object.entries(urls),
    ['hosts', hosts],
    ['seen set', `${seen.added} URLs, ${(seen.fill * 100).toPrecision(2)} % full`],
    ...queues.map(({ host, waiting }): [string, string] => ['queue', `${waiting} of ${host}`]),
    ...Object.entries(files).map(([file, bytes]): [string, string] => [
      'bytes',
      `${bytes} in ${file}`,
    ]),
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)} ${value}\n`).join('')
}
