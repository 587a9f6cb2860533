import { readdirSync, readlinkSync } from 'node:fs'
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MirrorFolder } from '../../src/mirror/mirror-folder.ts'
import { foldersAbove } from '../../src/mirror/output-folder.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.each<[string, (file: string) => Promise<unknown>]>([
  ['it was removed', () => Promise.resolve()],
  ['it is not a regular file', (file) => mkdir(file)],
])('an unreadable page of a mirror is reported, with advice: %s', async (reason, replace) => {
  const folder = MirrorFolder.open(path('mirror'), { mayExist: false, isDurable: false })
  const body = join(folder.incoming, '1')
  await writeFile(body, 'page')
  folder.placeOriginal(body, 'host/a.html')
  const original = path('mirror', '.originals', 'host', 'a.html')
  await rm(original)
  await replace(original)
  await expect(folder.readOriginal('host/a.html')).rejects.toMatchObject({
    kind: 'output',
    message: `${original}: expected the page that the crawl saved, which can't be read: ${reason}; restore it, or continue with another folder and --force`,
  })
  folder.close('remove')
})

it.runIf(process.platform === 'linux')(
  'making many folders durable opens only a few of them at a time',
  async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length
    const folder = MirrorFolder.open(path('mirror'), { mayExist: false, isDurable: true })
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
    const folder = MirrorFolder.open(path('mirror'), { mayExist: false, isDurable: true })
    await folder.write('host/early/a.html', Buffer.from('page'))
    const body = join(folder.incoming, '1')
    await writeFile(body, 'page')
    const syncing = folder.sync()
    folder.place(body, 'host/late/a.html')
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
    expect(synced).toContain(path('mirror', 'host', 'late'))
    folder.close('remove')
  },
)

it.each([
  ['/mirror/host/a', '/mirror', ['/mirror/host', '/mirror', undefined]],
  ['/mirror', '/mirror', [undefined, undefined, undefined]],
  ['/host/a', '/', ['/host', '/', undefined]],
  ['/', '/', [undefined, undefined, undefined]],
])('the folders above %s, up to %s, are finite in number', (folder, root, folders) => {
  const [first, second, third] = foldersAbove(folder, root)
  expect([first, second, third]).toEqual(folders)
})
