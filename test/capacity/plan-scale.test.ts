import { describe, expect, it } from 'vitest'
import { planScale, type ScaleOptions } from '../../src/capacity/plan-scale.ts'

const WEB: ScaleOptions = {
  ...{ pages: 1e9, hosts: 1e6, urls: 6.5e9, delay: 1_000, perHost: 6, responseTime: 200 },
  ...{ pageSize: 25_000, linksPerPage: 62, cores: 4, falsePositiveRate: 0.001 },
}

/** Plans a crawl on a number of machines. */
function planOn(machines: number, changes: Partial<ScaleOptions> = {}) {
  const [plan] = planScale({ ...WEB, ...changes, machines }).plans
  if (plan === undefined) throw new Error('expected a plan')
  return plan
}

describe('planScale', () => {
  it('estimates the duration from the CPU time and the cores', () => {
    const { microsPerPage } = planScale(WEB)
    const plan = planOn(1)
    expect(plan).toMatchObject({ limit: 'CPU', processes: 1 })
    expect(plan.pagesPerSecond).toBeLessThan(4e6 / microsPerPage)
    expect(plan.days).toBeCloseTo(1e9 / plan.pagesPerSecond / 86_400)
    expect(planOn(1, { cores: 2 }).days).toBeCloseTo(2 * plan.days)
  })

  it('takes more CPU for larger pages with more links', () => {
    const { microsPerPage } = planScale(WEB)
    expect(planScale({ ...WEB, pageSize: 50_000 }).microsPerPage).toBeGreaterThan(microsPerPage)
    expect(planScale({ ...WEB, linksPerPage: 124 }).microsPerPage).toBeGreaterThan(microsPerPage)
  })

  it('counts one connection per page if the delay is longer than connections are kept', () => {
    const kept = planScale({ ...WEB, delay: 2_000 }).microsPerPage
    expect(kept).toBe(planScale(WEB).microsPerPage)
    expect(planScale({ ...WEB, delay: 5_000 }).microsPerPage).toBeGreaterThan(kept * 1.2)
  })

  it('starts more processes when one coordinator is not enough', () => {
    expect(planOn(1, { cores: 64 })).toMatchObject({ limit: 'main thread', processes: 1 })
    expect(planOn(2, { cores: 64 }).processes).toBeGreaterThan(1)
  })

  it('is limited by the delay between two requests to a host, measured from the end of a response', () => {
    const plan = planOn(1, { hosts: 12 })
    expect(plan).toMatchObject({ limit: 'politeness', pagesPerSecond: 10 })
    expect(plan.maxPagesOfHost).toBe(Math.floor(1e9 / 12))
    expect(planScale({ ...WEB, hosts: 12 }).plans).toHaveLength(1)
  })

  it('lets a host serve several requests at a time if there is no delay', () => {
    expect(planOn(1, { hosts: 12, delay: 0 }).pagesPerSecond).toBeCloseTo((12 * 6) / 0.2)
  })

  it('needs no Redis for one process, and plans its state on disk', () => {
    const plan = planOn(1)
    expect(plan).not.toHaveProperty('redis')
    expect(plan.machine.stateDisk).toBeGreaterThan(6.5e9 * 100)
    expect(planOn(2).machine.stateDisk).toBe(0)
  })

  it('starts more processes when one may not lease enough hosts, at most one per core', () => {
    const plan = planOn(4, { delay: 20_000, hosts: 1e8, pages: 1e10, urls: 6.5e10 })
    expect(plan).toMatchObject({ limit: 'leases', processes: 4 })
  })

  it('plans Redis memory for every waiting URL, some stored several times', () => {
    const [few, many] = [planOn(2).redis, planOn(16).redis]
    expect(few?.queueMemory).toBeGreaterThan(5.5e9 * 100)
    expect(many?.queueMemory).toBeGreaterThan(few?.queueMemory ?? Number.POSITIVE_INFINITY)
    expect(many?.seenMemory).toBe(few?.seenMemory)
    // 1e9 URLs at 0.001 take at least the bits of an ideal filter.
    expect(planOn(2, { urls: 1e9 }).redis?.seenMemory).toBeGreaterThan((14.4 / 8) * 1e9)
    expect(planOn(2, { urls: 1e9 }).redis?.queueMemory).toBe(1e6 * 390)
  })

  it('is limited to 32 Redis servers', () => {
    const plan = planOn(1_000_000, { hosts: 1e9, delay: 0 })
    expect(plan).toMatchObject({ limit: 'Redis', redis: { servers: 32 } })
  })

  it('reports that a process cannot hold that many URLs', () => {
    expect(planOn(2, { pages: 1e10, urls: 6.5e10 }).refusal).toMatch(
      /table of digests can't grow to/,
    )
    expect(planOn(2, { pages: 1e6, urls: 6.5e6 })).not.toHaveProperty('refusal')
  })

  it("stops at the number of machines beyond which more don't help", () => {
    const { plans } = planScale({ ...WEB, hosts: 1e4 })
    expect(plans.map(({ limit }) => limit)).toEqual(['CPU', 'politeness'])
    expect(plans.map(({ machines }) => machines)).toEqual([1, 4])
  })
})
