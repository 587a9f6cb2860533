import { execFileSync } from 'node:child_process'
import { constants, readdirSync, readlinkSync } from 'node:fs'
import { readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { compressionOf } from '../../src/compressed-files/compression.ts'
import { FileOutput, openFileOutput } from '../../src/output/file-output.ts'
import { openTarget } from '../../src/output/file-target.ts'
import type { Sink } from '../../src/output/output.ts'
import { useFolder } from '../support/state-run.ts'
import { until } from '../support/until.ts'

const path = useFolder()

/** Opens an output. Returns its events. */
function opened(output: Sink) {
  const events: unknown[] = []
  output.open({
    drained: () => void events.push('drained'),
    closed: () => void events.push('closed'),
    failed: (error) => void events.push(error),
  })
  return events
}

/** Returns true if this process has a file open that had this name. */
function isOpen(name: string): boolean {
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(name)
    } catch {
      return false
    }
  })
}

describe('openFileOutput', () => {
  it('writes texts in order, and is complete after it was closed', async () => {
    const file = path('visits.jsonl')
    const output = await openFileOutput(file, {})
    opened(output)
    const lines = Array.from({ length: 10_000 }, (_, number) => `{"visit":${number}}\n`)
    for (let at = 0; at < lines.length; at += 7) output.write(lines.slice(at, at + 7))
    await output.close()
    expect(await readFile(file, 'utf8')).toBe(lines.join(''))
  })

  it('reports when it is congested, and when there is space again', async () => {
    const output = await openFileOutput(path('visits.jsonl'), {})
    const events = opened(output)
    expect(output.congested).toBe(false)
    output.write(['x'.repeat(1_000_000)])
    expect(output.congested).toBe(true)
    await until(() => events.length > 0)
    expect(events).toEqual(['drained'])
    expect(output.congested).toBe(false)
    await output.close()
  })

  it.runIf(process.platform === 'linux').each([
    ['replaces', { overwrite: true }, 'new\n'],
    ['continues', { position: 4 }, 'old\nnew\n'],
  ])('%s a file, on Windows without opening it for appending', async (_, choice, expected) => {
    const file = path('visits.jsonl')
    await writeFile(file, 'old\nlost\n')
    const target = await openTarget(file, choice, 'win32')
    const descriptor = 'handle' in target ? target.handle.fd : -1
    const [, flags = ''] =
      /^flags:\s*(\d+)/m.exec(await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    expect(Number.parseInt(flags, 8) & constants.O_APPEND).toBe(0)
    const output = new FileOutput(target)
    opened(output)
    output.write(['new\n'])
    await output.close()
    expect(await readFile(file, 'utf8')).toBe(expected)
  })

  it('refuses an existing file, and keeps it unchanged', async () => {
    const file = path('mine.jsonl')
    await writeFile(file, 'dear data')
    await expect(openFileOutput(file, {})).rejects.toMatchObject({
      kind: 'usage',
      message: `${file}: expected a file that doesn't exist yet; --overwrite replaces it`,
    })
    expect(await readFile(file, 'utf8')).toBe('dear data')
  })

  it.runIf(process.platform === 'linux')(
    "fails as soon as something can't be written, before the page is counted as done",
    async () => {
      const output = await openFileOutput('/dev/full', {})
      opened(output)
      output.write(['a line\n'])
      const message = "/dev/full: can't be written: ENOSPC: no space left on device, write"
      await expect(output.sync()).rejects.toMatchObject({ kind: 'output', message })
    },
  )

  it('fails if its file was removed, but not if it was moved', async () => {
    const [removed, moved] = [path('removed'), path('moved')]
    for (const file of [removed, moved]) {
      const output = await openFileOutput(file, {})
      opened(output)
      output.write(['a line\n'])
      await output.sync()
      if (file === removed) {
        await rm(file)
        const error = { kind: 'output', message: `${file}: can't be written: it was removed` }
        await expect(output.sync()).rejects.toMatchObject(error)
        await expect(output.close()).rejects.toMatchObject(error)
        if (process.platform === 'linux') expect(isOpen(file)).toBe(false)
      } else {
        await rename(file, path('elsewhere'))
        await output.sync()
        await output.close()
      }
    }
  })

  it('takes none of its own writes during a sync for those of another program', async () => {
    const output = await openFileOutput(path('busy'), {})
    opened(output)
    let isOver = false
    const bytes = new Uint8Array(2 ** 20)
    const writeOften = () => {
      if (isOver) return
      if (!output.congested) output.writeBytes(bytes)
      setImmediate(writeOften)
    }
    writeOften()
    try {
      for (let times = 0; times < 40; times++) await output.sync()
    } finally {
      isOver = true
    }
    await output.close()
  })

  it('fails if another program truncated its file, since that would leave a hole', async () => {
    const file = path('cut')
    const output = await openFileOutput(file, {})
    opened(output)
    output.write(['a line\n'])
    await output.sync()
    await truncate(file)
    output.write(['b line\n'])
    const message = `${file}: can't be written: another program has cut it`
    await expect(output.sync()).rejects.toMatchObject({ kind: 'output', message })
    expect(await readFile(file, 'utf8')).toBe('b line\n')
    await expect(output.close()).rejects.toMatchObject({ message })
  })

  it.each(['a.jsonl', 'a.jsonl.gz'])(
    'fails at the end if another crawl replaced its file %s, as does that crawl',
    async (name) => {
      const file = path(name)
      const compression = compressionOf(name)
      const first = await openFileOutput(file, { compression })
      opened(first)
      first.write(['a line\n'])
      await first.sync()
      const second = await openFileOutput(file, { overwrite: true, compression })
      opened(second)
      second.write(['a much longer line\n'])
      await second.sync()
      first.write(['b\n'])
      for (const output of [first, second]) {
        await expect(output.close()).rejects.toMatchObject({
          kind: 'output',
          message: `${file}: can't be written: another program has written to it, too`,
        })
      }
    },
  )

  it.skipIf(process.platform === 'win32')(
    'refuses a pipe in place of a written file, without waiting for a reader',
    async () => {
      const file = path('visits.jsonl')
      execFileSync('mkfifo', [file])
      for (const position of [0, 7]) {
        await expect(openFileOutput(file, { position })).rejects.toMatchObject({
          kind: 'state',
          message: `${file}: expected the file that the crawl wrote, got something else`,
        })
      }
    },
  )

  it('replaces a file with overwrite when the first visit is written', async () => {
    const file = path('mine.jsonl')
    await writeFile(file, 'data that is longer than what comes')
    const output = await openFileOutput(file, { overwrite: true })
    expect(await readFile(file, 'utf8')).toContain('data that is longer')
    opened(output)
    output.write(['new\n'])
    await output.close()
    expect(await readFile(file, 'utf8')).toBe('new\n')
  })

  it('restores the files if the crawl could not begin', async () => {
    const [mine, fresh] = [path('mine.jsonl'), path('fresh.jsonl')]
    await writeFile(mine, 'dear data')
    await (await openFileOutput(mine, { overwrite: true })).discard()
    await (await openFileOutput(fresh, {})).discard()
    expect(await readFile(mine, 'utf8')).toBe('dear data')
    await expect(stat(fresh)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('keeps a file if it is closed before it is opened for visits', async () => {
    const file = path('mine.jsonl.gz')
    await writeFile(file, 'dear data')
    const compression = compressionOf(file)
    await (await openFileOutput(file, { overwrite: true, compression })).close()
    expect(await readFile(file, 'utf8')).toBe('dear data')
  })

  it.each([
    ['missing/visits.jsonl', "can't be written: its folder doesn't exist"],
    ['', 'expected the name of a file to write, got a folder'],
  ])("reports an output error if %j can't be opened", async (name, fault) => {
    const file = path(name)
    await expect(openFileOutput(file, { overwrite: true })).rejects.toMatchObject({
      kind: 'output',
      message: `${file}: ${fault}`,
    })
  })

  it('reports a link that leads nowhere', async () => {
    await symlink('nowhere', path('link'))
    await expect(openFileOutput(path('link'), {})).rejects.toMatchObject({
      message: expect.stringContaining("can't be written: the file that it links to doesn't exist"),
    })
  })

  it.runIf(process.platform === 'linux')('writes to an existing device', async () => {
    const output = await openFileOutput('/dev/null', {})
    expect(opened(output)).toEqual([])
    output.write(['into the void\n'])
    await output.close()
  })

  it.runIf(process.platform === 'linux')(
    'fails if the disk is full, at the latest at its end',
    async () => {
      const output = await openFileOutput('/dev/full', {})
      const events = opened(output)
      output.write(['no room\n'])
      const failure = {
        kind: 'output',
        message: "/dev/full: can't be written: ENOSPC: no space left on device, write",
      }
      await expect(output.close()).rejects.toMatchObject(failure)
      expect(events).toMatchObject([failure])
      expect(output.congested).toBe(false)
    },
  )
})
