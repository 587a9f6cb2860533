import type { MachinesPlan, ScalePlan } from '../../capacity/plan-scale.ts'
import { countOf, formatCount } from '../../english-text.ts'
import { formatClockDuration, formatRate, formatSize } from './number-format.ts'
import { layOutTable } from './text-table.ts'

const HEADINGS = [
  ...['machines', 'processes', 'pages/s', 'days', 'limited by', 'Mbit/s each', 'memory each'],
  ...['disk each', 'Redis servers', 'their memory', 'their disk', 'Mbit/s in', 'out'],
]

/** Lays out the plan of a large crawl. */
export function scaleLines(plan: ScalePlan): string[] {
  const { pages, hosts, urls, cores, pageSize, linksPerPage, microsPerPage, plans } = plan
  const size = formatSize(pageSize)
  const last = plans.at(-1)
  const refusals = plans.flatMap(({ machines, refusal }) =>
    refusal === undefined ? [] : [`${countOf(machines, 'machine')} can't: ${refusal}`],
  )
  return [
    `${countOf(pages, 'page')} of ${size} and ${countOf(linksPerPage, 'link')} on ${countOf(hosts, 'host')}, ` +
      `${countOf(urls, 'URL')} in all, on machines of ${countOf(cores, 'core')}:`,
    '',
    ...layOutTable({ headings: HEADINGS, rows: plans.map(rowOf) }),
    ...(refusals.length > 0 ? ['', ...refusals] : []),
    '',
    `A page takes ${formatCount(Math.round(microsPerPage))} µs of CPU.`,
    `The hosts allow ${formatRate(plan.politePagesPerSecond)} pages/s together (${politenessOf(plan)}).`,
    ...(last === undefined
      ? []
      : [
          `In ${formatDays(last)} days, a single host allows at most ${countOf(last.maxPagesOfHost, 'page')}.`,
        ]),
    'Computed from measurements on two cores and loopback, so real sites take longer (docs/scale.md).',
  ]
}

function rowOf({ machine, redis, ...plan }: MachinesPlan): string[] {
  return [
    formatCount(plan.machines),
    formatCount(plan.processes),
    formatRate(plan.pagesPerSecond),
    formatDays(plan),
    plan.limit,
    formatRate(machine.bitsPerSecond / 1e6),
    formatSize(machine.memory),
    formatSize(machine.outputDisk + machine.stateDisk),
    ...(redis === undefined
      ? ['-', '-', '-', '-', '-']
      : [
          formatCount(redis.servers),
          formatSize(redis.seenMemory + redis.queueMemory),
          formatSize(redis.disk),
          formatRate(redis.bitsIn / 1e6),
          formatRate(redis.bitsOut / 1e6),
        ]),
  ]
}

function formatDays({ days }: Pick<MachinesPlan, 'days'>): string {
  return days < 9.95 ? days.toPrecision(2) : formatCount(Math.round(days))
}

function politenessOf({ delay, responseTime, perHost }: ScalePlan): string {
  const response = `responses after ${formatClockDuration(responseTime)}`
  return delay > 0
    ? `a delay of ${formatClockDuration(delay)}, ${response}`
    : `${perHost} at a time, ${response}`
}
