import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCookies } from '../../src/cookies/cookie-file.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.skipIf(process.platform === 'win32')(
  'refuses a device or a pipe, which the file that is written at the end would replace',
  () => {
    execFileSync('mkfifo', [path('pipe')])
    expect(() => readCookies(path('pipe'), () => {})).toThrow(
      `${path('pipe')}: expected a cookie file, which is written again at the end, got a device or a pipe`,
    )
    expect(statSync(path('pipe')).isFIFO()).toBe(true)
  },
)

it('is named in a warning if it does not exist yet, for its name may be mistyped', async () => {
  const site = await serveSite({ '/': '' })
  const [file, how] = [path('typo.txt'), ['--log-level', 'warn', '--log-format', 'text']]
  const warning = `${file} does not exist: starting without cookies`
  const crawl = () => callCrawl([site.url, '--cookies', file, ...how])
  expect((await crawl()).stderr).toMatch(new RegExp(`^.+ WARN.*: ${warning}\n$`))
  expect(await crawl()).toMatchObject({ code: 0, stderr: '' })
})
