import { callCrawl } from './call-cli.ts'
import type { KilledCrawl } from './killed-crawl.ts'
import type { CrawlRun } from './run-cli.ts'

/** Milliseconds after which a command is considered to hang. None needs a hundredth of that. */
const PATIENCE_MS = 60_000

/** All commands that read a state. Those that change it are last. */
const ARGUMENTS = {
  state: ({ state }: KilledCrawl) => ['state', state],
  'state as JSON': ({ state }) => ['state', state, '--json'],
  'export of visits': ({ state }) => ['state', state, '--export', 'visits'],
  'export of the queue': ({ state }) => ['state', state, '--export', 'queue'],
  report: ({ state }) => ['report', state, '-o', '-'],
  'seen has': ({ state, site }) => ['seen', state, 'has', `${site.url}/1`],
  'seen add': ({ state, site }) => ['seen', state, 'add', `${site.url}/new`],
  'seen forget': ({ state, site }) => ['seen', state, 'forget', `${site.url}/1`],
  crawl: ({ command }) => command,
} satisfies Record<string, (crawl: KilledCrawl) => readonly string[]>

type CommandName = keyof typeof ARGUMENTS

export const COMMANDS = Object.keys(ARGUMENTS) as CommandName[]

/** The result of a command on a damaged state. */
export interface DamagedRun {
  readonly command: CommandName
  /** The unexpected result; undefined if the result is as expected. */
  readonly fault: string | undefined
  readonly code: number | null
  readonly stderr: string
}

/** Runs commands one after the other. */
export async function runAll(
  crawl: KilledCrawl,
  commands: readonly CommandName[] = COMMANDS,
): Promise<DamagedRun[]> {
  const runs: DamagedRun[] = []
  for (const command of commands) {
    runs.push({ command, ...(await runOne(ARGUMENTS[command](crawl), crawl.state)) })
  }
  return runs
}

async function runOne(
  args: readonly string[],
  state: string,
): Promise<Omit<DamagedRun, 'command'>> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('hangs')), PATIENCE_MS)
  try {
    const run = await Promise.race([callCrawl(args), promise])
    return { fault: faultOf(run, state), code: run.code, stderr: run.stderr }
  } catch (error) {
    return { fault: `${error}`, code: null, stderr: '' }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns an unexpected result. A command must succeed, or report in one sentence that the state is damaged, or that a
 * file of the mirror is missing.
 */
function faultOf({ code, stderr }: CrawlRun, state: string): string | undefined {
  if (code === 0) return undefined
  const isSentence = stderr.startsWith('crawl: ') && stderr.indexOf('\n') === stderr.length - 1
  const isDamage = code === 6 && stderr.includes(state) && stderr.includes('damaged')
  const isAstray = code === 5 && stderr.includes('expected the page that the crawl saved')
  return isSentence && (isDamage || isAstray) ? undefined : `${code}: ${stderr}`
}
