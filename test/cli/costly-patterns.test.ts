import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import { chosen } from '../support/soak.ts'

/** Backtracking takes twice as long for each further character. This pattern would take years. */
const PATTERN = '/p(a+)+$'
/** The same for V8's linear engine, which doesn't support lookahead. */
const UNBOUNDED = '(?=/p)/p(a+)+$'
const COSTLY = `/p${'a'.repeat(60)}!`
const PAGE = `<a href="${COSTLY}?">a</a><a href="/redirect">b</a><a href="/paa">c</a>`

function answer({ url }: IncomingMessage, response: ServerResponse): void {
  if (url === '/redirect') response.writeHead(301, { location: COSTLY }).end()
  else response.setHeader('content-type', 'text/html').end(PAGE)
}

describe('patterns of --include and --exclude', () => {
  const compared: [flag: string, pattern: string, visited: string[]][] = [
    ['--include', PATTERN, ['/', '/paa', '/redirect']],
    ['--exclude', PATTERN, ['/', '/redirect']],
    ['--include', UNBOUNDED, ['/', '/paa', '/redirect']],
    ['--exclude', UNBOUNDED, ['/', '/redirect']],
  ]
  it.each(chosen(compared, (_, at) => at === 0 || at === 3))(
    '%s %s are matched against any URL in a short time',
    async (flag, pattern, expected) => {
      const { url } = await serve(answer)
      const args = [`${url}/`, flag, pattern, '--include', '/redirect$', '--depth', '1', '-q']
      const { code, visits } = await callCrawl(args)

      expect(code).toBe(0)
      expect(visits.map(({ url: visited }) => visited.slice(url.length)).sort()).toEqual(expected)
    },
  )

  it('are reported as the reason for skipping a URL that took too long to match', async () => {
    const { url } = await serve(answer)
    const args = [`${url}/`, '--exclude', UNBOUNDED]
    const { stderr } = await runCrawl(args, { timeoutMs: 20_000 })

    expect(stderr).toContain('"slow-pattern":2')
  })
})
