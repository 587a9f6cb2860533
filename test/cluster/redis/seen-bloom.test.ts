import { describe, expect, it, onTestFinished } from 'vitest'
import { planBlooms } from '../../../src/cluster/redis/bloom-plan.ts'
import { seenScriptArguments } from '../../../src/cluster/redis/seen-script-arguments.ts'
import { connect } from '../../support/redis-server.ts'
import { freshName, REDIS_SETUPS } from '../../support/redis-setups.ts'
import { seenTestScript } from '../../support/seen-test-script.ts'

const RATE = 0.02

describe.each(REDIS_SETUPS)('on %s', (_, start) => {
  it('successive filters together stay within the requested error rate', async () => {
    const servers = await connect((await start()).url)
    onTestFinished(() => servers.close())
    const name = `ow:{${freshName()}}`
    const options = { expectedUrls: 1_000, falsePositiveRate: RATE, forgetAfter: 1 }
    const scheme = seenScriptArguments({ ...options, name: 'redis-bloom' }, [3, 4], 1)
    const add = async (from: number, to: number) => {
      const urls = Array.from({ length: to - from }, (_, place) => `https://a.b/${from + place}`)
      const request = {
        fingerprints: urls.map((url) => scheme.fingerprintOf(url)),
        seen: scheme.setup,
      }
      const script = seenTestScript('redis-bloom')
      const reply = await servers.of(name).evaluate(script, [name], [JSON.stringify(request)])
      return [...String(reply)].filter((answer) => answer === '0').length
    }
    let lost = 0
    for (let from = 0; from < 15_000; from += 500) lost += await add(from, from + 500)
    expect(lost).toBeGreaterThan(15_000 * RATE * 0.1)
    expect(lost).toBeLessThan(15_000 * RATE)
    expect(await add(0, 500)).toBe(500)
    // There are four filters: for 1,000, 2,000, 4,000 and 8,000 URLs.
    const bloom = `${name}:bloom`
    expect(await servers.of(name).command(bloom, 'HGET', bloom, 'generation')).toBe('3')
  })
})

it.each([1e-2, 1e-3, 1e-5])(
  'a blocked filter is hardly larger than an unblocked one: %d',
  (rate) => {
    const [[urls, , blocks] = [1, 1, 1]] = planBlooms(1_000_000, rate)
    const ideal = -Math.log(rate / 2) / Math.LN2 ** 2
    const factor = (blocks * 512) / urls / ideal
    expect(factor).toBeGreaterThan(1)
    expect(factor).toBeLessThan(1.4)
  },
)
