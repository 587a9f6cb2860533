import { appendFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { SeenName } from '../../src/seen/seen-set.ts'
import { allocateSeenSet, openSeenSet } from '../../src/seen/seen-set-lifecycle.ts'
import { loadSnapshot, writeSnapshot } from '../../src/seen/snapshot.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const key = [1, 2] as const
const memoryOf = (name: SeenName, expectedUrls = 20_000) => {
  return allocateSeenSet({ name, expectedUrls, falsePositiveRate: 1e-6, key })
}
const urls = Array.from({ length: 20_000 }, (_, page) => `http://example.com/${page}`)

describe.each(['bloom', 'exact'] as const)('a snapshot of a %s seen set', (name) => {
  async function snapshot() {
    const memory = memoryOf(name)
    openSeenSet(memory, 0).addIfNew(urls)
    const file = path('seen.snapshot')
    return { memory, file, checksum: await writeSnapshot(memory, file) }
  }

  it('restores the URLs and counts', async () => {
    const { memory, file, checksum } = await snapshot()
    const copy = memoryOf(name)
    expect(loadSnapshot(copy, file, checksum)).toBe(true)
    const set = openSeenSet(copy, 0)
    expect(set.stats()).toEqual(openSeenSet(memory, 0).stats())
    expect(new Set(await set.addIfNew(urls))).toEqual(new Set([false]))
    expect(set.addIfNew(['http://example.com/new'])).toEqual([true])
    expect(await readdir(path())).toEqual(['seen.snapshot'])
  })

  it('contains all URLs from before its start, while others are added', async () => {
    const memory = memoryOf(name)
    const set = openSeenSet(memory, 0)
    set.addIfNew(urls.slice(0, 10_000))
    const writing = writeSnapshot(memory, path('seen.snapshot'))
    const isDone = writing.then(() => true)
    // Enough URLs that memory grows between any two steps of the writing.
    for (let batch = 0; batch < 10; batch++) {
      set.addIfNew(Array.from({ length: 20_000 }, (_, at) => `http://more.test/${batch}/${at}`))
      if (await Promise.race([isDone, new Promise((go) => setImmediate(go, false))])) break
    }
    const copy = memoryOf(name)
    expect(loadSnapshot(copy, path('seen.snapshot'), await writing)).toBe(true)
    const known = await openSeenSet(copy, 0).has(urls.slice(0, 10_000))
    expect(known.every(Boolean)).toBe(true)
  })

  const harms: readonly (readonly [string, (file: string) => Promise<void>])[] = [
    ['longer', (file: string) => appendFile(file, 'x')],
    ['shorter', (file: string) => truncate(file, 5_000)],
    ['empty', (file: string) => truncate(file, 0)],
    ['gone', (file: string) => rm(file)],
    [
      'changed in one bit',
      async (file: string) => {
        const bytes = await readFile(file)
        bytes[20_000] = (bytes[20_000] ?? 0) ^ 1
        await writeFile(file, bytes)
      },
    ],
  ]
  const isTried = (how: string) => name === 'bloom' || how === 'changed in one bit'
  it.each(chosen(harms, ([how]) => isTried(how)))(
    'that is %s is refused, and leaves the set empty',
    async (_, spoil) => {
      const { file, checksum } = await snapshot()
      await spoil(file)
      const copy = memoryOf(name)
      expect(loadSnapshot(copy, file, checksum)).toBe(false)
      expect(await openSeenSet(copy, 0).addIfNew(urls.slice(0, 1))).toEqual([true])
    },
  )

  it('is refused for a set of another kind or size', async () => {
    const { file, checksum } = await snapshot()
    const other = name === 'bloom' ? 'exact' : 'bloom'
    expect(loadSnapshot(memoryOf(other), file, checksum)).toBe(false)
    expect(loadSnapshot(memoryOf(name, 80_000), file, checksum)).toBe(false)
  })
})
