import { CrawlerError, encodeJson, exportedFrom, reportOn } from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import { print, printLines, tellError } from './print.ts'
import type { StateFlags } from './state-command.ts'
import type { World } from './world.ts'

type Report = ReturnType<typeof reportOn>

/** Carries out `crawl state`; gives the exit code. */
export async function showState(path: string, flags: StateFlags, world: World): Promise<number> {
  try {
    if (flags.export === undefined) await printLines(shown(path, flags), world)
    else await print(exported(path, flags.export), world)
    return EXIT_CODE.done
  } catch (error) {
    return tellError(error, world)
  }
}

function exported(path: string, what: string): Iterable<string> {
  if (what === 'visits' || what === 'queue') return exportedFrom(path, what)
  throw new CrawlerError('usage', `--export: expected visits or queue, got \`${what}\``)
}

function shown(path: string, { json }: StateFlags): string[] {
  const report = reportOn(path)
  return json ? [encodeJson(report)] : table(report)
}

function table({ progress, tally, urls, hosts, queues, seen, files }: Report): string[] {
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
  return rows.map(([name, value]) => `${name.padEnd(10)} ${value}`)
}
