import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ScratchFile } from '../../../../src/fetch/http/body/scratch-file.ts'
import { useFolder } from '../../../support/state-run.ts'

const run = promisify(execFile)
const SOURCE = new URL('../../../../src/fetch/http/body/scratch-file.ts', import.meta.url).href
const path = useFolder()
const BLOCK = 256 * 1_024

function openIn(name: string) {
  const folder = path(name)
  mkdirSync(folder)
  const file = new ScratchFile(folder)
  onTestFinished(() => file.close())
  return { folder, file }
}

/** Returns the size of the open file that has been unlinked; undefined if the system doesn't show it. */
function sizeIn(folder: string): number | undefined {
  for (const descriptor of readdirSync('/proc/self/fd')) {
    try {
      const link = `/proc/self/fd/${descriptor}`
      if (readlinkSync(link).startsWith(folder)) return statSync(link).size
    } catch {} // closed meanwhile
  }
  return undefined
}

describe('a scratch file', () => {
  it('returns what was written, for many bodies in turn, in pieces of any size', () => {
    const { file } = openIn('many')
    const bodies = [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK].map((size) => randomBytes(size))
    const stored = bodies.map(() => file.open())
    for (let at = 0; at < 3 * BLOCK; at += 70_001) {
      for (const [index, body] of bodies.entries()) {
        stored[index]?.append(body.subarray(at, at + 70_001))
      }
    }
    for (const [index, body] of bodies.entries()) {
      const room = Buffer.from(new SharedArrayBuffer(4 * BLOCK))
      expect(stored[index]?.length).toBe(body.length)
      expect(stored[index]?.read(room).equals(body)).toBe(true)
    }
  })

  it('has no name in its folder, and is created when it is needed', () => {
    const { folder, file } = openIn('nameless')
    expect(sizeIn(folder)).toBeUndefined()
    file.open().append(Buffer.from('a body'))
    expect(readdirSync(folder)).toEqual([])
  })

  it.runIf(process.platform === 'linux')(
    'takes only as much space as bodies need at the same time',
    () => {
      const { folder, file } = openIn('room')
      for (let turn = 0; turn < 20; turn++) {
        const pair = [file.open(), file.open()]
        for (const stored of pair) stored.append(Buffer.alloc(2 * BLOCK))
        expect(sizeIn(folder)).toBe(4 * BLOCK)
        pair[0]?.release()
        const third = file.open()
        third.append(Buffer.alloc(2 * BLOCK))
        expect(sizeIn(folder)).toBe(4 * BLOCK)
        pair[1]?.release()
        third.release()
        expect(sizeIn(folder)).toBe(0)
      }
    },
  )

  it('keeps bodies in memory if the folder is gone', () => {
    const { folder, file } = openIn('gone')
    rmSync(folder, { recursive: true })
    const stored = file.open()
    for (const text of ['no ', 'room ', 'here']) stored.append(Buffer.from(text))
    expect(stored.read(Buffer.alloc(100)).toString()).toBe('no room here')
    stored.release()
  })

  it('keeps bodies in memory if there is no disk space', async () => {
    const script = `
      import { ScratchFile } from ${JSON.stringify(SOURCE)}
      const file = new ScratchFile(process.argv[1])
      const stored = [file.open(), file.open()]
      for (let n = 0; n < 40; n++) for (const each of stored) each.append(Buffer.alloc(60_000, n + 1))
      for (const each of stored) {
        const read = each.read(Buffer.alloc(each.length))
        const isWhole = Array.from({ length: 40 }, (_, n) => n).every(
          (n) => read[n * 60_000] === n + 1 && read[n * 60_000 + 59_999] === n + 1,
        )
        console.log(read.length, isWhole)
      }`
    // In blocks of 512 bytes or of 1 KiB: less than is written.
    const command = 'ulimit -f 1500; trap "" XFSZ; exec "$0" --input-type=module -e "$1" "$2"'
    const folder = path('full')
    mkdirSync(folder)
    const { stdout } = await run('sh', ['-c', command, process.execPath, script, folder])
    expect(stdout).toBe('2400000 true\n'.repeat(2))
  })
})
