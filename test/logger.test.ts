import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLogger, silentLogger } from '../src/logger.ts'

async function logged(pretty: boolean, message = 'Crawl: 5 queued'): Promise<string> {
  const stream = new PassThrough()
  const logger = await createLogger({ level: 'info', stream, pretty })
  logger.info({ queued: 5 }, message)
  logger.debug('not shown')
  return String(stream.read())
}

describe('createLogger', () => {
  it('writes one JSON object per line', async () => {
    const line = await logged(false)
    expect(line).toMatch(/^\{.+\}\n$/)
    expect(JSON.parse(line)).toEqual({
      ...{ level: 30, queued: 5, msg: 'Crawl: 5 queued' },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it.each([
    [
      { level: 'loud', stream: process.stderr },
      'level: expected one of trace, debug, info, warn, error, fatal, silent, got `loud`',
    ],
    [
      { level: 'info', stream: 'crawl.log' },
      'stream: expected a writable stream, such as process.stderr',
    ],
  ])('refuses %o', async (options, message) => {
    const given: object = { pretty: true, ...options }
    const created = createLogger(given as Parameters<typeof createLogger>[0])
    await expect(created).rejects.toMatchObject({ kind: 'usage', message })
  })

  it.each([
    [undefined, undefined, false],
    [true, undefined, true],
    [true, false, false],
    [undefined, true, true],
  ])(
    'with isTTY %s and colors %s, colors lines for people: %s',
    async (isTTY, colors, isColored) => {
      const stream = Object.assign(new PassThrough(), { isTTY })
      const logger = await createLogger({ level: 'info', stream, pretty: true, colors })
      logger.info('hello')
      expect(String(stream.read()).includes('\u001b[')).toBe(isColored)
    },
  )

  it('writes the message of an error, without its stack', async () => {
    const stream = new PassThrough()
    const logger = await createLogger({ level: 'info', stream, pretty: false })
    logger.warn({ err: Object.assign(new TypeError('no luck'), { code: 'E' }) }, 'It failed')
    const { err } = JSON.parse(String(stream.read()))
    expect(err).toEqual({ type: 'TypeError', message: 'no luck', code: 'E' })
  })

  it('escapes control characters of a terminal in JSON, too', async () => {
    const line = await logged(false, 'a\x9b2J\x7f')
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(line).msg).toBe('a\x9b2J\x7f')
  })

  it('prints only the message to a person at a terminal', async () => {
    const line = await logged(true)
    expect(line).toMatch(/^\[\d\d:\d\d:\d\d\].*INFO.*Crawl: 5 queued.*\n$/)
    expect(line).not.toContain('queued:')
  })

  it('lets no message move the cursor of the terminal', async () => {
    const line = await logged(true, 'line 2 disallows /\x1b[2Jx\r\ny')
    expect(line).toContain('line 2 disallows /\ufffd[2Jx\ufffd\ufffdy')
  })
})

describe('silentLogger', () => {
  it('writes nothing', () => expect(silentLogger().isLevelEnabled('fatal')).toBe(false))
})
