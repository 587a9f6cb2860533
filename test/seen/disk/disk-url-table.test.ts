import { existsSync, rmSync, truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SeenName } from '../../../src/seen/seen-set.ts'
import {
  allocateSeenSet,
  discardSeenSet,
  openSeenSet,
} from '../../../src/seen/seen-set-lifecycle.ts'
import { loadSnapshot, writeSnapshot } from '../../../src/seen/snapshot.ts'
import type { SeenMemory } from '../../../src/seen/strategies.ts'
import { useFolder } from '../../support/state-run.ts'
import { numbered } from '../measured-rate.ts'

const path = useFolder()
/** More URLs than `hybrid` keeps in memory, and fewer. */
const [early, late] = [numbered('in', 0, 9_000), numbered('late', 0, 1_000)]
const key = [1, 2] as const

describe.each(['sqlite', 'hybrid'] as const)('the URLs of %s on disk', (name: SeenName) => {
  function allocate(directory = path()): SeenMemory {
    return allocateSeenSet({ name, expectedUrls: 500, falsePositiveRate: 0.001, key, directory })
  }

  /**
   * Simulates a process that leaves a snapshot of the early URLs, and the late ones on disk only. Returns the checksum.
   */
  async function leave(): Promise<number> {
    const memory = allocate()
    const seen = openSeenSet(memory, 1)
    await seen.addIfNew(early)
    const checksum = await writeSnapshot(memory, path('snapshot'))
    await seen.addIfNew(late)
    return checksum
  }

  it('are valid up to the snapshot: later ones are new again', async () => {
    const checksum = await leave()
    const after = allocate()
    expect(loadSnapshot(after, path('snapshot'), checksum)).toBe(true)
    const seen = openSeenSet(after, 2)
    expect(await seen.has(early)).not.toContain(false)
    expect(await seen.has(late)).not.toContain(true)
    expect(await seen.addIfNew(late)).not.toContain(false)
  })

  it.each([
    ['gone', (file: string) => rmSync(file)],
    ['damaged', (file: string) => truncateSync(file, 5_000)],
  ])('are discarded if the file is %s, and a new file is created', async (_, spoil) => {
    const checksum = await leave()
    for (const end of ['-wal', '-shm']) rmSync(path(`seen.sqlite${end}`), { force: true })
    spoil(path('seen.sqlite'))
    const after = allocate()
    expect(loadSnapshot(after, path('snapshot'), checksum)).toBe(false)
    expect(await openSeenSet(after, 2).addIfNew(early)).not.toContain(false)
  })

  it('are discarded without a snapshot', async () => {
    await leave()
    const seen = openSeenSet(allocate(), 2)
    expect(await seen.has(early)).not.toContain(true)
    expect(await seen.addIfNew([...early, ...early.slice(0, 1)])).toEqual([
      ...early.map(() => true),
      false,
    ])
  })

  it('are forgotten by all threads on request', async () => {
    const shared = allocate()
    const [one, other] = [openSeenSet(shared, 1), openSeenSet(shared, 2)]
    await one.addIfNew(early)
    expect(await other.addIfNew(early)).not.toContain(true)
    const gone = early.slice(0, 100)
    expect(one.forget?.([...gone, 'http://never/'])).toEqual([...gone.map(() => true), false])
    expect(await other.has(gone)).not.toContain(true)
    expect(await other.addIfNew(early)).toEqual(early.map((_, index) => index < 100))
  })

  it('are in a temporary file without a directory, which is removed when they are discarded', async () => {
    const shared = allocateSeenSet({ name, expectedUrls: 500, falsePositiveRate: 0.001 })
    await openSeenSet(shared, 1).addIfNew(early)
    if (!('disk' in shared)) throw new Error('it has nothing on disk')
    expect(existsSync(`${shared.disk.folder}/seen.sqlite`)).toBe(true)
    discardSeenSet(shared)
    expect(existsSync(shared.disk.folder)).toBe(false)
  })
})
