/** Key of a HASH on each server, from the name of a job to the ids of its servers. */
export const JOBS_KEY = 'ow:jobs'

/** Returns the key of a job, or of a part of it. */
export function jobKey(name: string, part = ''): string {
  return part === '' ? `ow:{${name}}` : `ow:{${name}}:${part}`
}

/** Returns the prefix of all keys of a partition. */
export function partitionKey(job: string, partition: number): string {
  return `ow:{${job}:${partition}}`
}
