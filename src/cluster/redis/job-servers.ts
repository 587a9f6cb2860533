import { CrawlerError } from '../../errors.ts'
import { JOBS_KEY } from './keys.ts'
import type { Servers } from './servers.ts'

/**
 * Stores the servers of a new job. Refuses other servers than those of an existing job: its queues would seem empty
 * there.
 * @throws CrawlerError('redis')
 */
export async function claimServers(servers: Servers, name: string): Promise<void> {
  // Checked before as well, so that a refused call stores nothing on servers that the job doesn't have.
  await refuseOtherServers(servers, name)
  for (const server of servers.all) {
    await server.command(JOBS_KEY, 'HSETNX', JOBS_KEY, name, servers.ids)
  }
  await refuseOtherServers(servers, name)
}

/** @throws CrawlerError('redis') if a job was created on other servers */
export async function refuseOtherServers(servers: Servers, name: string): Promise<void> {
  for (const server of servers.all) {
    const before = await server.command(JOBS_KEY, 'HGET', JOBS_KEY, name)
    if (before === null || before === servers.ids) continue
    const count = String(before).split(',').length
    const expected = count === 1 ? 'the server' : `the ${count} servers`
    const message = `--frontier: expected ${expected} that job ${name} was created with, got others`
    throw new CrawlerError('redis', message)
  }
}
