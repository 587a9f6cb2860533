// Compares how our client and llhttp read HTTP/1.1 responses, valid and broken ones. The exit code is 1 if they differ
// for a reason other than those in test/fetch/http/http1/compare-with-llhttp.ts.
//
// node bench/http1-fuzz.ts [minutes]
import fc from 'fast-check'
import { arbitraryResponse } from '../test/fetch/http/http1/arbitrary-response.ts'
import { compareWithLlhttp } from '../test/fetch/http/http1/compare-with-llhttp.ts'

const ROUND = 10_000

const [minutes = '5'] = process.argv.slice(2)
const end = performance.now() + 60_000 * Number(minutes)
const outcomes = new Map<string, number>()
let runs = 0
while (performance.now() < end) {
  const property = fc.property(arbitraryResponse, (received) => {
    const outcome = compareWithLlhttp(received)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  })
  const { failed, counterexample, seed, errorInstance, numRuns } = fc.check(property, {
    numRuns: ROUND,
  })
  runs += numRuns
  if (!failed) continue
  console.error(`seed ${seed}: ${JSON.stringify(counterexample)}\n${errorInstance}`)
  process.exitCode = 1
  break
}
console.log(`${runs} responses`)
const byCount = [...outcomes].sort(([, first], [, second]) => second - first)
for (const [outcome, count] of byCount) console.log(`${`${count}`.padStart(9)} ${outcome}`)
