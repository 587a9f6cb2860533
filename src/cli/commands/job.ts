import type { Command } from 'commander'
import {
  JOB_ACTIONS,
  type JobAction,
  type JobList,
  type JobReport,
  type JobStore,
} from '../../cluster/job-store.ts'
import { openJobs } from '../../cluster/open-job-store.ts'
import { CrawlerError } from '../../errors.ts'
import { didYouMean } from '../../near-name.ts'
import { encodeJson } from '../../records/json-line.ts'
import type { CliContext, RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { ListedArgument } from '../options/option-choices.ts'
import { splitAtCommas } from '../options/setting-options.ts'
import { unexpectedValue } from '../options/typed-values.ts'
import { printLines, printMessage } from '../terminal/print.ts'
import { layOutTable } from '../terminal/text-table.ts'

interface JobFlags {
  readonly frontier?: readonly string[]
  readonly json?: true
}

/** Configures `crawl job <action> [name]`. */
export function configureJob(command: Command, run: RunAction): void {
  command
    .addArgument(
      new ListedArgument('<action>', 'list, show, pause, resume, stop or delete', ACTIONS),
    )
    .argument('[name]', 'the job; required for all actions but list')
    .option(
      '--frontier <redis-url>',
      'Redis servers that hold the jobs, separated by commas',
      splitAtCommas,
    )
    .option('--json', 'print one JSON object per line')
    .action((action: string, name: string | undefined, flags: JobFlags) => {
      return run((context) => controlJob(action, name, flags, context))
    })
}

async function controlJob(
  action: string,
  name: string | undefined,
  { frontier, json }: JobFlags,
  context: CliContext,
): Promise<number> {
  checkAction(action, name)
  if (frontier === undefined) {
    const message = `job ${action}: expected --frontier, the Redis servers that hold the jobs, got none`
    throw new CrawlerError('usage', message)
  }
  const jobs = await openJobs(frontier, context.environment)
  try {
    const { reports, problems } = await runAction(action, name, jobs)
    await printLines(json ? reports.map(encodeJson) : reportTable(reports), context)
    if (action === 'list' && reports.length + problems.length === 0) {
      printMessage('there are no jobs on these servers', context)
    }
    if (problems.length === 0) return EXIT_CODE.done
    throw new CrawlerError('redis', problems.map(({ message }) => message).join('\n'))
  } finally {
    jobs.close()
  }
}

const ACTIONS = ['list', 'show', ...JOB_ACTIONS, 'delete']

function checkAction(action: string, name: string | undefined): void {
  if (!ACTIONS.includes(action)) {
    if (name !== undefined && ACTIONS.includes(name)) {
      const meant = `crawl job ${name === 'list' ? name : `${name} ${action}`}`
      throw unexpectedValue('<action>', `an action${didYouMean(meant)}`, action)
    }
    throw unexpectedValue('<action>', `one of ${ACTIONS.join(', ')}`, action, ACTIONS)
  }
  if (action === 'list' && name !== undefined) {
    const hint = /^rediss?:/.test(name)
      ? `did you mean --frontier ${name}?`
      : `crawl job show ${name} shows it`
    const message = `job list: expected no name of a job, got \`${name}\`; ${hint}`
    throw new CrawlerError('usage', message)
  }
  if (action === 'list' || name !== undefined) return
  throw new CrawlerError('usage', `job ${action}: expected the name of a job, got none`)
}

async function runAction(
  action: string,
  name: string | undefined,
  jobs: JobStore,
): Promise<JobList> {
  if (action === 'list' || name === undefined) return jobs.list()
  if (action === 'delete') {
    await jobs.delete(name)
    return { reports: [], problems: [] }
  }
  const change = JOB_ACTIONS.find((each): each is JobAction => each === action)
  if (change !== undefined) await jobs.control(name, change)
  return { reports: [await jobs.show(name)], problems: [] }
}

const COLUMNS = ['job', 'state', 'agents', 'visits', 'open', 'held', 'created'] as const

function reportTable(reports: readonly JobReport[]): string[] {
  if (reports.length === 0) return []
  const rows = reports.map((report) => COLUMNS.map((name) => String(report[name])))
  return layOutTable({ headings: COLUMNS, rows })
}
