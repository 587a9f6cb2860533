import {
  CrawlerError,
  encodeJson,
  JOB_TURNS,
  type JobReport,
  type JobTurn,
  openJobs,
} from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import type { JobFlags } from './job-command.ts'
import { printLines, tellError } from './print.ts'
import type { World } from './world.ts'

type Jobs = Awaited<ReturnType<typeof openJobs>>

/** Carries out `crawl job`; gives the exit code. */
export async function runJob(
  action: string,
  name: string | undefined,
  { frontier, json }: JobFlags,
  world: World,
): Promise<number> {
  let jobs: Jobs | undefined
  try {
    checkAction(action)
    jobs = await openJobs(frontier, world.environment)
    const reports = await carryOut(action, name, jobs)
    await printLines(json ? reports.map(encodeJson) : table(reports), world)
    return EXIT_CODE.done
  } catch (error) {
    return tellError(error, world)
  } finally {
    jobs?.close()
  }
}

const ACTIONS = ['list', 'show', ...JOB_TURNS, 'delete']

function checkAction(action: string): void {
  if (ACTIONS.includes(action)) return
  throw new CrawlerError('usage', `expected one of ${ACTIONS.join(', ')}, got \`${action}\``)
}

async function carryOut(
  action: string,
  name: string | undefined,
  jobs: Jobs,
): Promise<JobReport[]> {
  if (action === 'list') return jobs.list()
  if (name === undefined) {
    throw new CrawlerError('usage', `job ${action}: expected the name of a job, got none`)
  }
  if (action === 'delete') {
    await jobs.delete(name)
    return []
  }
  const turn = JOB_TURNS.find((each): each is JobTurn => each === action)
  if (turn !== undefined) await jobs.turn(name, turn)
  return [await jobs.show(name)]
}

const COLUMNS = ['job', 'state', 'agents', 'visits', 'open', 'held', 'created'] as const

function table(reports: readonly JobReport[]): string[] {
  if (reports.length === 0) return []
  const rows = [COLUMNS, ...reports.map((report) => COLUMNS.map((name) => String(report[name])))]
  const widths = COLUMNS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lineOf = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => lineOf(row).trimEnd())
}
