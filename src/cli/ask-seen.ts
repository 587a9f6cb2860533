import {
  addSeen,
  CrawlerError,
  encodeJson,
  forgetSeen,
  hasSeen,
  type SeenAnswer,
} from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import { printLines, tellError } from './print.ts'
import { readSeeds } from './seeds-file.ts'
import type { World } from './world.ts'

interface Action {
  /** Name of the answer in the lines that are printed. */
  readonly field: string
  run(path: string, urls: readonly string[]): SeenAnswer[] | Promise<SeenAnswer[]>
}

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['has', { field: 'seen', run: hasSeen }],
  ['add', { field: 'added', run: addSeen }],
  ['forget', { field: 'forgotten', run: forgetSeen }],
])

/** Carries out `crawl seen`; gives the exit code. */
export async function askSeen(
  path: string,
  name: string,
  typed: readonly string[],
  world: World,
): Promise<number> {
  try {
    const action = ACTIONS.get(name)
    if (action === undefined) {
      throw new CrawlerError('usage', `expected has, add or forget, got \`${name}\``)
    }
    const answers = await action.run(path, await urlsFrom(typed, world.stdin))
    const lines = answers.map(({ url, answer }) => encodeJson({ url, [action.field]: answer }))
    await printLines(lines, world)
    return EXIT_CODE.done
  } catch (error) {
    return tellError(error, world)
  }
}

async function urlsFrom(
  typed: readonly string[],
  stdin: NodeJS.ReadableStream,
): Promise<readonly string[]> {
  if (!typed.includes('-')) return typed
  const lines = await readSeeds('-', stdin)
  return [...typed.filter((url) => url !== '-'), ...lines]
}
