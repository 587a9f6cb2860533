import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { BIN, EndedRun } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'

const HOSTS = 30
const PAGES = 3

/** Many hosts that all keep connections open; each port is a host. */
async function serveHosts(): Promise<string> {
  const page = (ports: readonly string[]) =>
    ports.flatMap((url) => Array.from({ length: PAGES }, (_, n) => `<a href="${url}/${n}">x</a>`))
  const hosts: string[] = []
  const first = await serve(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(url === '/' ? page(hosts).join('') : 'x')
  })
  for (let n = 0; n < HOSTS; n++) {
    const { url } = await serve((_, response) => setTimeout(() => response.end('x'), 100))
    hosts.push(url)
  }
  return `${first.url}/`
}

/** Runs the command where so many files may be open. */
function crawlWith(files: number, args: readonly string[]): Promise<EndedRun> {
  const limited = ['-c', `ulimit -n ${files} && exec "$0" "$@"`, process.execPath, BIN, ...args]
  return new Promise((resolve) => {
    const child = execFile('sh', limited, (_, stdout, stderr) => {
      resolve(new EndedRun(child.exitCode, stdout, stderr))
    })
  })
}

function warnings({ stderr }: EndedRun): string[] {
  const lines: { level: number; msg: string }[] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)
}

describe.skipIf(process.platform !== 'linux')('a crawl that may open few files', () => {
  it.each([50, 64, 100])(
    'visits all pages of many hosts with %i of them, and says that it goes slower',
    async (files) => {
      const seed = await serveHosts()
      const run = await crawlWith(files, [seed, '--scope', 'any', '--allow-private', '-w', '4'])
      expect(run.visits.filter(({ error }) => error !== undefined)).toEqual([])
      expect(run.visits).toHaveLength(1 + HOSTS * PAGES)
      expect(warnings(run)).toEqual([
        expect.stringMatching(
          `^The limit of open files \\(ulimit -n\\) is ${files}: \\d+ workers? with \\d+ requests in flight each instead of 4 workers with 16`,
        ),
      ])
      expect(run.code).toBe(0)
    },
  )

  it.each([24, 32])('is refused in one sentence with %i of them', async (files) => {
    const run = await crawlWith(files, ['http://127.0.0.1:9/', '--allow-private'])
    expect(run.stderr).toMatch(
      new RegExp(
        `^crawl: the limit of open files \\(ulimit -n\\): expected at least \\d+ for this crawl, got ${files}\n$`,
      ),
    )
    expect(run.code).toBe(2)
  })
})
