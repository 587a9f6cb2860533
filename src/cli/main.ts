import { CommanderError, type Help, type OutputConfiguration } from 'commander'
import { temporaryDatabaseError } from '../database/temporary-database-error.ts'
import { replaceInLines } from '../printable-text.ts'
import { hideLogins } from '../secret.ts'
import { VERSION } from '../version.ts'
import { commandFirst } from './arguments/command-first.ts'
import { beforeSeparator } from './arguments/command-line.ts'
import { refuseMisspelledCommand } from './arguments/misspelled-command.ts'
import { refuseMistypedArguments } from './arguments/mistyped-arguments.ts'
import { describeUsageError } from './arguments/usage-error.ts'
import { type CliContext, processContext, type RunAction } from './cli-context.ts'
import { runCrawl } from './commands/crawl.ts'
import { EXIT_CODE } from './exit-code.ts'
import { type CrawlFlags, createProgram } from './options/crawl-options.ts'
import { endWithCode } from './process/end-process.ts'
import { addSubcommands } from './subcommands.ts'
import { print, printError, printMessage, printUnexpected } from './terminal/print.ts'

/** Runs the command line, and ends the process with its exit code. */
export async function run(): Promise<void> {
  const context = processContext()
  const { stdout, stderr } = context
  process.on('uncaughtException', (error) => {
    const code = printUnexpected(error, context)
    stderr.write('', () => process.exit(code))
  })
  endWithCode(await main(context), [stdout, stderr])
}

/** Runs the command line in a context. Returns the exit code. */
export async function main(context: CliContext): Promise<number> {
  context.messageForm.isJson = wantsJsonLog(context.args)
  ignoreClosedReaders(context)
  if (hasWorkingDirectory()) return runCommandLine(context)
  const message = 'expected a current directory that exists, got one that was removed'
  printMessage(message, context, EXIT_CODE.usage)
  return EXIT_CODE.usage
}

/**
 * Ignores errors of stdout and stderr: the reader of a stream may close it early, even that of --help or of the log,
 * which must not cause a stack trace.
 */
function ignoreClosedReaders({ stdout, stderr }: CliContext): void {
  for (const stream of [stdout, stderr]) {
    // Each worker adds listeners to both streams, and Node reports more than ten as a leak.
    stream.setMaxListeners(Number.POSITIVE_INFINITY).on('error', () => {})
  }
}

async function runCommandLine(context: CliContext): Promise<number> {
  let code: number = EXIT_CODE.done
  const run: RunAction = async (action) => {
    code = await codeOfAction(action, context)
  }
  const texts = { help: '', usageError: '' }
  const { args: typed, stderr } = context
  const program = createProgram(VERSION)
    .exitOverride()
    .configureOutput(outputTo(texts, stderr))
    .configureHelp(await helpConfiguration(typed))
    .action(async (seeds: string[], flags: CrawlFlags) => {
      refuseMisspelledCommand(program, seeds)
      await run(() => runCrawl(seeds, flags, context))
    })
  // A completion script lists the options of all subcommands.
  const needsAll = typed.includes('completion')
  await addSubcommands(program, run, (name) => needsAll || typed.includes(name))
  const args = commandFirst(program, typed)
  try {
    refuseMistypedArguments(program, args)
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) return printUsageError(texts.usageError, args, run, context)
    await run(async () => {
      await print([texts.help], context)
      return EXIT_CODE.done
    })
  }
  return code
}

/** Runs the action of a command. Returns its exit code; prints its error, if any. */
async function codeOfAction(
  action: (context: CliContext) => Promise<number>,
  context: CliContext,
): Promise<number> {
  try {
    return await action(context)
  } catch (error) {
    return printError(temporaryDatabaseError(error), context)
  }
}

/** Returns where commander writes: help and errors in the arguments are collected in `texts`, and printed later. */
function outputTo(
  texts: { help: string; usageError: string },
  stderr: CliContext['stderr'],
): OutputConfiguration {
  return {
    writeOut: (text) => {
      texts.help += text
    },
    writeErr: (text) => stderr.write(replaceInLines(hideLogins(text))),
    outputError: (text) => {
      texts.usageError = text
    },
  }
}

/** Returns whether the arguments request a log of JSON lines. Errors in the arguments are then JSON lines, too. */
function wantsJsonLog(args: readonly string[]): boolean {
  const typed = beforeSeparator(args)
  return typed.some((arg, at) => {
    return arg === '--log-format=json' || (arg === '--log-format' && typed[at + 1] === 'json')
  })
}

/** Prints an error in the arguments. Loads all subcommands: an unknown option may belong to another one. */
async function printUsageError(
  text: string,
  args: readonly string[],
  run: RunAction,
  context: CliContext,
): Promise<number> {
  const program = createProgram(VERSION)
  await addSubcommands(program, run)
  printMessage(describeUsageError(text, program, args), context, EXIT_CODE.usage)
  return EXIT_CODE.usage
}

/** Returns the configuration of the help if the arguments request help. Other runs don't load its code. */
async function helpConfiguration(args: readonly string[]): Promise<Partial<Help>> {
  if (!args.some((arg) => /^(?:--help|help|-\w*h\w*)$/.test(arg))) return {}
  const { formatHelp, helpLength } = await import('./help/format-help.ts')
  const length = helpLength(args)
  // Descriptions are wrapped in narrow terminals, too.
  return {
    minWidthToWrap: 20,
    formatHelp: (command, helper) => formatHelp(command, helper, length),
  }
}

/** Without a working directory, Node's name lookups and paths fail. That would be reported as errors of a site. */
function hasWorkingDirectory(): boolean {
  try {
    process.cwd()
    return true
  } catch {
    return false
  }
}
