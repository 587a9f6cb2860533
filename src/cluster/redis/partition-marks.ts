import { hash } from 'node:crypto'
import { CrawlerError } from '../../errors.ts'
import { jobKey, partitionKey } from './keys.ts'
import type { PartitionMark } from './partition-views.ts'
import type { Servers } from './servers.ts'

/** Version of the format of a job's keys. Jobs of other versions are refused. */
export const JOB_FORMAT = '5'
/** Version of the jobs that were created before jobs stored a version. */
const FIRST_FORMAT = '1'
const DIGITS = 16
const MAX_SHOWN = 20

type JobFields = Readonly<Record<string, string>>

/**
 * Returns the mark of each partition of a job. It distinguishes the partition's keys from those of any other job or
 * partition.
 */
export function partitionMarks(
  job: string,
  fields: JobFields,
  partitions: number,
): PartitionMark[] {
  const { settings, secret, created } = fields
  const identity = JSON.stringify([settings, secret, created, partitions])
  const digest = hash('sha256', identity).slice(0, DIGITS)
  return Array.from({ length: partitions }, (_, partition) => ({
    key: partitionKey(job, partition),
    mark: `${digest}:${partition}`,
  }))
}

/**
 * Marks the partitions of a new job. Partitions that have another mark keep it, and are refused later.
 * Any number of processes may call this at once, or again after one that died midway.
 */
export async function markPartitions(
  servers: Servers,
  job: string,
  marks: readonly PartitionMark[],
): Promise<void> {
  await Promise.all(
    marks.map(({ key, mark }) => servers.of(key).command(key, 'HSETNX', key, 'mark', mark)),
  )
  const key = jobKey(job)
  await servers.of(key).command(key, 'HSET', key, 'begun', '1')
}

/** @throws CrawlerError('redis') if another version created the job */
export function checkJobFormat(job: string, { format = FIRST_FORMAT }: JobFields): void {
  if (format === JOB_FORMAT) return
  const message = `job ${job}: expected format ${JOB_FORMAT}, got ${format.slice(0, MAX_SHOWN)}, created by another version: continue it with that version, or crawl job delete ${job}`
  throw new CrawlerError('redis', message)
}
