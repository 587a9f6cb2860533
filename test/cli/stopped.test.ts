import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'

it('a crawl that is stopped for longer than --timeout and continued reads the response that came meanwhile', async () => {
  let process: ChildProcess | undefined
  let requests = 0
  const { url } = await serve(async (_, response) => {
    requests++
    process?.kill('SIGSTOP')
    response.end('x')
    await sleep(2_500)
    process?.kill('SIGCONT')
  })
  const run = await runCrawl([url, '--ignore-robots', '--timeout', '1s', '--retries', '0'], {
    onStart: (child) => {
      process = child
    },
  })
  expect(run.visits).toEqual([expect.objectContaining({ status: 200, attempts: 1 })])
  expect(requests).toBe(1)
})
