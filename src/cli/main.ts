import { CommanderError } from 'commander'
import { replaceInLines } from '../printable-text.ts'
import { hideLogins } from '../secret.ts'
import { VERSION } from '../version.ts'
import { addCheckCommand } from './check-command.ts'
import { addCompletionCommand } from './completion-command.ts'
import { addDiffCommand } from './diff-command.ts'
import { letEnd } from './end-process.ts'
import { EXIT_CODE } from './exit-code.ts'
import { addJobCommand } from './job-command.ts'
import { refuseMisspelt } from './misspelt.ts'
import { addPlanCommand } from './plan-command.ts'
import { createProgram, type Flags } from './program.ts'
import { addReportCommand } from './report-command.ts'
import { addSeenCommand } from './seen-command.ts'
import { addStateCommand } from './state-command.ts'
import { realWorld, type World } from './world.ts'

/** Runs the command line, and ends the process with its exit code. */
export async function run(): Promise<void> {
  const world = realWorld()
  letEnd(await main(world), [world.stdout, world.stderr])
}

/** Runs the command line in the given world; gives the exit code. */
export async function main(world: World): Promise<number> {
  let code: number = EXIT_CODE.done
  // Readers may leave early, of --help and of the log too: no reason for a stack trace.
  // Node lets each worker write to both, and takes more than ten that listen for their errors for a leak.
  for (const stream of [world.stdout, world.stderr]) {
    stream.setMaxListeners(Number.POSITIVE_INFINITY).on('error', () => {})
  }
  const program = createProgram(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(replaceInLines(text)),
      writeErr: (text) => world.stderr.write(replaceInLines(hideLogins(text))),
    })
    .action(async (seeds: string[], flags: Flags) => {
      refuseMisspelt(program, seeds)
      // Loaded here, so that --help and --version cost next to nothing.
      const { runCrawl } = await import('./run-crawl.ts')
      code = await runCrawl(seeds, flags, world)
    })
  addJobCommand(program, async (action, name, flags) => {
    const { runJob } = await import('./run-job.ts')
    code = await runJob(action, name, flags, world)
  })
  addCheckCommand(program, async (seeds, flags) => {
    const { runCheck } = await import('./run-check.ts')
    code = await runCheck(seeds, flags, world)
  })
  addPlanCommand(program, async (flags) => {
    const { runPlan } = await import('./run-plan.ts')
    code = await runPlan(flags, world)
  })
  addSeenCommand(program, async (path, action, urls) => {
    const { askSeen } = await import('./ask-seen.ts')
    code = await askSeen(path, action, urls, world)
  })
  addStateCommand(program, async (path, flags) => {
    const { showState } = await import('./show-state.ts')
    code = await showState(path, flags, world)
  })
  addDiffCommand(program, async (before, after, flags) => {
    const { runDiff } = await import('./run-diff.ts')
    code = await runDiff(before, after, flags, world)
  })
  addReportCommand(program, async (visits, flags) => {
    const { runReport } = await import('./run-report.ts')
    code = await runReport(visits, flags, world)
  })
  addCompletionCommand(program, async (shell) => {
    const { runCompletion } = await import('./run-completion.ts')
    code = await runCompletion(shell, program, world)
  })
  for (const command of program.commands) {
    command.showHelpAfterError(`(crawl ${command.name()} --help shows more)`)
  }
  try {
    await program.parseAsync(world.args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT_CODE.done : EXIT_CODE.usage
  }
}
