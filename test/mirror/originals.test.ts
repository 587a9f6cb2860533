import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ORIGINALS, Originals } from '../../src/mirror/originals.ts'
import { OutputFolder } from '../../src/saved-files/output-folder.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.each<[string, (file: string) => Promise<unknown>]>([
  ['it was removed', () => Promise.resolve()],
  ['it is not a regular file', (file) => mkdir(file)],
])('an unreadable page of a mirror is reported, with advice: %s', async (reason, replace) => {
  const options = { mayExist: false, isDurable: false, internal: ORIGINALS }
  const folder = OutputFolder.open(path('mirror'), options)
  const originals = new Originals(folder)
  const body = join(folder.incoming, '1')
  await writeFile(body, 'page')
  originals.place(body, 'host/a.html')
  const original = path('mirror', '.originals', 'host', 'a.html')
  await rm(original)
  await replace(original)
  await expect(originals.read('host/a.html')).rejects.toMatchObject({
    kind: 'output',
    message: `${original}: expected the page that the crawl saved, which can't be read: ${reason}; restore it, or continue with another folder and --force`,
  })
  folder.close('remove')
})
