import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCookies } from '../../src/cookies/cookie-file.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.skipIf(process.platform === 'win32')(
  'refuses a device or a pipe, which the file that is written at the end would replace',
  () => {
    execFileSync('mkfifo', [path('pipe')])
    expect(() => readCookies(path('pipe'))).toThrow(
      `${path('pipe')}: expected a cookie file, which is written again at the end, got a device or a pipe`,
    )
    expect(statSync(path('pipe')).isFIFO()).toBe(true)
  },
)
