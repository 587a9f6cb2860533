import { describe, expect, it } from 'vitest'
import { startAgent } from '../support/job-agent.ts'
import { startJobProcess } from '../support/job-run.ts'
import { freshName, REDIS_SETUPS } from '../support/redis-setups.ts'
import type { SiteServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { startVanishingSite } from '../support/vanishing-site.ts'

const PAGES = 40

const path = useFolder()

// A cluster has all that a server has here, and more.
describe.each(REDIS_SETUPS.slice(-1))('a job on %s whose host stops answering', (_, start) => {
  async function run(onRequest: (site: SiteServer, count: number) => void, hostPatience: string) {
    const site = await startVanishingSite(PAGES, onRequest)
    const settings = { seeds: [site.url], frontier: [(await start()).url], job: freshName() }
    const agents = [1, 2].map(() => startAgent({ ...settings, hostPatience }))
    const runs = await Promise.all(agents.map(({ ended }) => ended))
    return { visits: runs.flatMap(({ visits }) => visits), runs, agents }
  }

  it('waits for the host, and loses no page', async () => {
    const back = (site: SiteServer, count: number) => {
      if (count !== 20) return
      site.leave()
      setTimeout(() => site.comeBack(), 1_500)
    }
    const { visits, runs } = await run(back, '2m')
    expect(visits.filter(({ status, error }) => status !== 200 || error)).toEqual([])
    expect(new Set(visits.map(({ url }) => url)).size).toBe(PAGES + 1)
    expect(visits).toHaveLength(PAGES + 1)
    expect(runs.map(({ summary }) => summary.reason)).toEqual(['finished', 'finished'])
  })

  it('gives up when --host-patience is over, and one process logs that', async () => {
    const { visits, runs } = await run((site, count) => void (count === 20 && site.leave()), '1s')
    expect(visits.filter(({ error }) => error)).toEqual([])
    const left = runs.map(({ summary }) => summary.skipped['host-failed'] ?? 0)
    expect(left.reduce((sum, count) => sum + count)).toBe(PAGES + 1 - visits.length)
    expect(runs.map(({ summary }) => summary.givenUp.hadAnswered).toSorted()).toEqual([0, 1])
  })

  it('resumes the wait of a process that ends meanwhile', async () => {
    const site = await startVanishingSite(
      PAGES,
      (self, count) => void (count === 20 && self.leave()),
    )
    const [redis, job] = [(await start()).url, freshName()]
    const args = [site.url, '--workers', '1', '--log-level', 'warn']
    const first = startJobProcess({ folder: path(), name: 'a', redis: [redis], job, args })
    await until(() => first.stderr().includes('has stopped answering'))
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(130)
    const second = startAgent({ seeds: [site.url], frontier: [redis], job })
    await site.comeBack()
    const rest = await second.ended
    const all = [...(await first.visits()), ...rest.visits]
    expect(all.filter(({ status }) => status !== 200)).toEqual([])
    expect(new Set(all.map(({ url }) => url)).size).toBe(PAGES + 1)
    // It knew that the host was away, and requested no page of it before it was back.
    expect(second.log()).toContain('answers again, after')
    expect(second.log()).not.toContain('has stopped answering')
  })
})
