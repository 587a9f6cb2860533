import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isOutOfFiles, OutOfFiles, untilFilesAreFree } from '../../src/runtime/out-of-files.ts'

const run = promisify(execFile)

const LOOKUP = fileURLToPath(new URL('../../src/runtime/dns-lookup.ts', import.meta.url))

describe('errors for too many open files', () => {
  it('are recognized, also among those of several addresses', () => {
    const error = new OutOfFiles('connect EMFILE')
    expect(isOutOfFiles(error)).toBe(true)
    expect(isOutOfFiles(Object.assign(new Error('x'), { code: 'ENFILE' }))).toBe(true)
    expect(isOutOfFiles(new AggregateError([new Error('x'), error]))).toBe(true)
    expect(isOutOfFiles(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBe(false)
    expect(isOutOfFiles('EMFILE')).toBe(false)
  })

  it('cause a retry after files were closed', async () => {
    let files = 3
    const attempt = async () => {
      if (files > 1) throw new OutOfFiles('no file')
      return 'opened'
    }
    expect(await untilFilesAreFree(attempt, () => files--)).toBe('opened')
    expect(files).toBe(1)
  })

  it('are distinguished from other failures', async () => {
    const attempt = () => Promise.reject(new Error('refused'))
    await expect(untilFilesAreFree(attempt)).rejects.toThrow('refused')
  })

  it('are not mistaken for a missing host name', async () => {
    const script = `
      import { openSync } from 'node:fs'
      import { lookUpName } from ${JSON.stringify(LOOKUP)}
      const codeOf = (name) => lookUpName(name).then(() => 'found', ({ code }) => code)
      const fill = () => { try { for (;;) openSync('/dev/null', 'r') } catch {} }
      fill()
      console.log(await codeOf('a.example'))
      console.log(await codeOf('nobody.local'))`
    const command = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"'
    const { stdout } = await run('sh', ['-c', command, process.execPath, script])
    expect(stdout).toBe('EMFILE\nEMFILE\n')
  })
})
