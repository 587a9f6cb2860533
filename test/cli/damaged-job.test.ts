import { afterAll, beforeAll, expect, it } from 'vitest'
import { DamagedJob } from '../support/damaged-job.ts'
import { IN_SOAK } from '../support/soak.ts'

/** One in SHARE damages is tried; bench/damage.ts tries all. */
const SHARE = IN_SOAK ? 12 : 24

let job: DamagedJob

beforeAll(async () => {
  job = await DamagedJob.begin()
})

afterAll(() => job.close())

it('a job with damaged keys is resumed, or reported as damaged in one sentence', async () => {
  const damages = await job.damages()
  expect(damages.length).toBeGreaterThan(50)
  expect(await job.faults(damages.filter((_, at) => at % SHARE === 0))).toEqual([])
})
