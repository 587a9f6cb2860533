import type { Command } from 'commander'
import { addSeen, forgetSeen, hasSeen, type SeenAnswer } from '../../inspect/seen/edit-seen.ts'
import { didYouMean } from '../../near-name.ts'
import { encodeJson } from '../../records/json-line.ts'
import type { CliContext, RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { ListedArgument } from '../options/option-choices.ts'
import { readUrls } from '../options/seeds-file.ts'
import { checkFileNames, unexpectedValue } from '../options/typed-values.ts'
import { printLines } from '../terminal/print.ts'

interface SeenAction {
  /** Name of the answer in the printed lines. */
  readonly field: string
  run(path: string, urls: readonly string[]): SeenAnswer[] | Promise<SeenAnswer[]>
}

const ACTIONS: ReadonlyMap<string, SeenAction> = new Map([
  ['has', { field: 'seen', run: hasSeen }],
  ['add', { field: 'added', run: addSeen }],
  ['forget', { field: 'forgotten', run: forgetSeen }],
])

/** Configures `crawl seen <dir> <action> <url...>`. */
export function configureSeen(command: Command, run: RunAction): void {
  command
    .argument('<dir>', 'directory of --state')
    .addArgument(new ListedArgument('<action>', 'has, add or forget', [...ACTIONS.keys()]))
    .argument('<url...>', 'the URLs; - reads them from stdin, one per line')
    .action((path: string, action: string, urls: string[]) => {
      return run((context) => answer(path, action, urls, context))
    })
}

async function answer(
  path: string,
  name: string,
  typed: readonly string[],
  context: CliContext,
): Promise<number> {
  const action = ACTIONS.get(name)
  if (action === undefined) {
    if (ACTIONS.has(path)) {
      const meant = didYouMean(`crawl seen ${name} ${path}`)
      throw unexpectedValue('<action>', `an action after the directory${meant}`, name)
    }
    throw unexpectedValue('<action>', 'has, add or forget', name, [...ACTIONS.keys()])
  }
  checkFileNames({ '<dir>': path })
  const answers = await action.run(path, await urlsFrom(typed, context.stdin))
  await printLines(linesOf(answers, action.field), context)
  return EXIT_CODE.done
}

function* linesOf(answers: readonly SeenAnswer[], field: string): Generator<string> {
  for (const { url, answer } of answers) yield encodeJson({ url, [field]: answer })
}

async function urlsFrom(
  typed: readonly string[],
  stdin: NodeJS.ReadableStream,
): Promise<readonly string[]> {
  if (!typed.includes('-')) return typed
  return [...typed.filter((url) => url !== '-'), ...(await readUrls(stdin))]
}
