import { readdirSync, readlinkSync } from 'node:fs'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { foldersAbove, OutputFolder } from '../../src/saved-files/output-folder.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.runIf(process.platform === 'linux')(
  'making many folders durable opens only a few of them at a time',
  async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length
    const folder = OutputFolder.open(path('files'), { mayExist: false, isDurable: true })
    for (let page = 0; page < 500; page++)
      await folder.write(`host/${page}/a.html`, Buffer.from('page'))
    const before = openFiles()
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, openFiles() - before)
    }, 1)
    await folder.sync()
    clearInterval(timer)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(50)
    folder.close('remove')
  },
)

it.runIf(process.platform === 'linux')(
  'makes folders durable that get files during a sync, as in a job, with the next sync',
  async () => {
    const folder = OutputFolder.open(path('files'), { mayExist: false, isDurable: true })
    await folder.write('host/early/a.html', Buffer.from('page'))
    const late = join(folder.incoming, '1')
    await writeFile(late, 'page')
    const syncing = folder.sync()
    folder.place(late, 'host/late/a.html')
    await syncing
    const synced: string[] = []
    const handle = await open(path())
    const prototype: FileHandle = Object.getPrototypeOf(handle)
    const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`))
    })
    onTestFinished(() => spy.mockRestore())
    await handle.close()
    await folder.sync()
    expect(synced).toContain(path('files', 'host', 'late'))
    folder.close('remove')
  },
)

it.each([
  ['/files/host/a', '/files', ['/files/host', '/files', undefined]],
  ['/files', '/files', [undefined, undefined, undefined]],
  ['/host/a', '/', ['/host', '/', undefined]],
  ['/', '/', [undefined, undefined, undefined]],
])('the folders above %s, up to %s, are finite in number', (folder, root, folders) => {
  const [first, second, third] = foldersAbove(folder, root)
  expect([first, second, third]).toEqual(folders)
})
