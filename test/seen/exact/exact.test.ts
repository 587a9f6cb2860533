import { expect, it } from 'vitest'
import { CrawlerError } from '../../../src/errors.ts'
import { allocateExact, type ExactMemory, ExactSeenSet } from '../../../src/seen/exact/exact.ts'
import { describeSeenSet } from '../contract.ts'

describeSeenSet('exact')

function allocate(): ExactMemory {
  return allocateExact({ name: 'exact', expectedUrls: 10_000, falsePositiveRate: 0.001 }, [1, 2])
}

it('an exact set finds URLs that another handle added beyond the memory it had mapped', () => {
  const memory = allocate()
  const [writer, reader] = [new ExactSeenSet(memory, 1), new ExactSeenSet(memory, 2)]
  // An arena starts with 1 MiB. The second URL crosses its end.
  const size = 700_000
  const [inside, astride, beyond] = ['a'.repeat(size), 'b'.repeat(size), 'c'.repeat(size)]
  writer.addIfNew([inside, astride, beyond])
  expect(reader.addIfNew([astride, beyond, inside])).toEqual([false, false, false])
})

it('a full exact set refuses a URL, still finds the others and leaves no lock', () => {
  const memory = allocate()
  const seen = new ExactSeenSet(memory, 0)
  seen.addIfNew(['http://a/'])
  // The arena's first word counts the words in use. Three are left.
  new Int32Array(memory.arena)[0] = 2 ** 30 - 3
  const message =
    'The exact seen set is full (4 GiB of URLs, or no memory left): use --seen bloom-growing.'
  expect(() => seen.addIfNew(['http://b/'])).toThrow(new CrawlerError('usage', message))
  expect(() => new ExactSeenSet(memory, 1).addIfNew(['http://b/'])).toThrow(message)
  expect(seen.addIfNew(['http://a/'])).toEqual([false])
  expect(seen.stats()).toMatchObject({ added: 1 })
  expect(seen.stats().fill).toBeCloseTo(1)
})

it('an exact set forgets only the given URLs, anywhere in their chain', () => {
  const seen = new ExactSeenSet(allocate(), 0)
  // Several URLs in each bucket.
  const urls = Array.from({ length: 30_000 }, (_, index) => `http://a/${index}`)
  seen.addIfNew(urls)
  const [gone, kept] = [urls.filter((_, at) => at % 3 === 0), urls.filter((_, at) => at % 3 > 0)]
  expect(seen.forget(gone)).not.toContain(false)
  expect(seen.forget(gone)).not.toContain(true)
  expect(seen.has(gone)).not.toContain(true)
  expect(seen.has(kept)).not.toContain(false)
  expect(seen.addIfNew(gone)).not.toContain(false)
  expect(seen.addIfNew(urls)).not.toContain(true)
})
