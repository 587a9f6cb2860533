import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { CliContext } from '../../../src/cli/cli-context.ts'
import { isColored } from '../../../src/cli/terminal/is-colored.ts'
import { callCrawl } from '../../support/call-cli.ts'
import { serve } from '../../support/serve.ts'

const terminal = Object.assign(new PassThrough(), { isTTY: true })
const pipe = new PassThrough()

function contextWith(environment: Readonly<Record<string, string>>, canMoveCursor = true) {
  const streams = { stdin: pipe, stdout: pipe, stderr: pipe }
  const context: CliContext = {
    ...{ args: [], ...streams, environment, canMoveCursor, messageForm: { isJson: false } },
    onInterrupt: () => () => {},
    exit: () => {},
  }
  return context
}

describe('text', () => {
  it('is colored at a terminal with a cursor, and nowhere else', () => {
    const context = contextWith({})
    expect([terminal, pipe].map((stream) => isColored(stream, context))).toEqual([true, false])
    expect(isColored(terminal, contextWith({}, false))).toBe(false)
  })

  it.each([
    [{ NO_COLOR: '1' }, false, false],
    [{ NO_COLOR: '' }, true, false],
    [{ FORCE_COLOR: '1' }, true, true],
    [{ FORCE_COLOR: '0' }, false, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  ])('is colored as the environment %o demands', (environment, atTerminal, inPipe) => {
    const context = contextWith(environment)
    expect(isColored(terminal, context)).toBe(atTerminal)
    expect(isColored(pipe, context)).toBe(inPipe)
  })

  it('is colored as --color demands, whatever the environment', () => {
    expect(isColored(pipe, contextWith({ NO_COLOR: '1' }), 'always')).toBe(true)
    expect(isColored(terminal, contextWith({ FORCE_COLOR: '1' }), 'never')).toBe(false)
  })
})

describe('crawl', () => {
  it('colors its lines with --color always, also the log with --log-format text', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Home</title>')
    })
    const flags = ['-f', 'line', '--color', 'always', '--log-format', 'text']
    const { stdout, stderr } = await callCrawl([url, ...flags])
    expect(stdout.replaceAll('\u001b', 'ESC')).toMatch(
      /^ESC\[32m200ESC\[39m {3}0 {2}http:\S+ {2}Home/,
    )
    expect(stderr).toMatch(/^\S*\[\d\d:\d\d:\d\d\S* \S*INFO/)
  })
})
