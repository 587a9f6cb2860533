import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Crawler } from './crawlers/crawler.ts'
import { timedRun } from './measure/timed-run.ts'
import type { Sample, SiteResults } from './report/results.ts'
import { readAccessLog } from './sites/access-log.ts'
import type { SiteHost } from './sites/nginx.ts'
import type { Site } from './sites/site.ts'
import { pagesOf } from './sites/truth.ts'
import { serverLimit } from './sites/wrk.ts'

export interface Contest {
  readonly host: SiteHost
  /** A folder for temporary files. */
  readonly folder: string
  readonly rounds: number
  readonly crawlers: readonly Crawler[]
}

/** Milliseconds of a warm-up run from which on a crawler counts as slow. */
const SLOW = 30_000

/**
 * Runs the crawlers on a site in turns: one round to warm up, then the requested number of rounds. A crawler whose
 * warm-up is slow runs only once, and this run counts: its time doesn't need to be precise to a few percent.
 */
export async function compareOn(site: Site, contest: Contest): Promise<SiteResults> {
  const { host, folder, rounds, crawlers } = contest
  const truth = await pagesOf(site, folder)
  // The requests of this search must not count for the first crawler.
  await host.logged()
  writeFileSync(pathsFile(contest), [...truth].join('\n'))
  const able = crawlers.filter((each) => site.access !== 'tls' || each.checksCertificates !== true)
  const samples = new Map<Crawler, Sample[]>(able.map((crawler) => [crawler, []]))
  const slow = new Set<Crawler>()
  for (let round = 0; round <= rounds; round++) {
    for (const [crawler, own] of samples) {
      if (slow.has(crawler)) continue
      const sample = await run(crawler, site, truth, contest)
      console.error(line(site, crawler, round, sample))
      if (round === 0 && sample.wallMs > SLOW) slow.add(crawler)
      if (round > 0 || slow.has(crawler)) own.push(sample)
    }
  }
  // Measured last, when the server has cached all files.
  const limit = await serverLimit(folder, site.origin, truth)
  await host.logged()
  return { site, pages: truth.size, serverLimit: limit, samples }
}

async function run(
  crawler: Crawler,
  site: Site,
  truth: ReadonlySet<string>,
  contest: Contest,
): Promise<Sample> {
  const { host, folder } = contest
  const cwd = mkdtempSync(join(folder, 'run-'))
  host.forget()
  const timed = await timedRun(crawler.command(site, { cwd, paths: pathsFile(contest) }), { cwd })
  rmSync(cwd, { recursive: true })
  await host.logged()
  const { requests, pages } = readAccessLog(host.accessLog, site)
  return { ...timed, requests, pages: [...pages].filter((page) => truth.has(page)).length }
}

function pathsFile({ folder }: Contest): string {
  return join(folder, 'paths.txt')
}

function line(site: Site, crawler: Crawler, round: number, sample: Sample): string {
  const { wallMs, cpuMs, pages, requests, exitCode } = sample
  const times = `${(wallMs / 1_000).toFixed(2)} s, CPU ${(cpuMs / 1_000).toFixed(2)} s`
  const what = `${pages} pages, ${requests} requests, exit code ${exitCode}`
  return `${site.name} ${round === 0 ? 'warm-up' : `round ${round}`} ${crawler.name}: ${times}, ${what}`
}
