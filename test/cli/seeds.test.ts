import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { selfSigned } from '../support/certificates.ts'
import { serveHttp2 } from '../support/http2-server.ts'
import { freePort } from '../support/listen.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve, serveRaw } from '../support/serve.ts'
import { serveTls } from '../support/serve-tls.ts'
import { useFolder } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()

/** Runs a quiet crawl of seeds that can't be fetched. Returns its stderr. */
async function unfetched(...args: readonly string[]): Promise<string> {
  const run = await callCrawl([...args, '-q', '-w', '1'])
  expect(run.code).toBe(3)
  expect(run.stderr).not.toMatch(/^\s+at /m)
  return run.stderr
}

describe("a seed that can't be fetched ends the crawl with one line", () => {
  it('when its host does not exist', async () => {
    const line =
      /^crawl: http:\/\/nonexistent\.invalid\/: .* (?:no host named|be looked up now).*E.+\n$/
    expect(await unfetched('http://nonexistent.invalid/')).toMatch(line)
  })

  it('when its port refuses, with or without robots.txt', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const line = new RegExp(`^crawl: ${url}: .*ECONNREFUSED.+\\n$`)
    const [polite, rude] = await Promise.all([
      unfetched(url),
      unfetched(url, '--ignore-robots', '--retries', '0'),
    ])
    expect(polite).toMatch(line)
    expect(rude).toMatch(line)
  })

  it("when its server doesn't speak HTTP", async () => {
    const server = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    const line = new RegExp(`^crawl: ${server.url}/: .*HTTP.+\\n$`)
    expect(await unfetched(server.url)).toMatch(line)
  })

  it('when robots.txt forbids it, with the rule', async () => {
    const { url } = await serve(
      (_, response) => void response.end('# hello\nUser-agent: *\nDisallow: /private'),
    )
    expect(await unfetched(`${url}/private/x`)).toBe(
      `crawl: ${url}/private/x: line 3 of robots.txt disallows /private\n`,
    )
  })

  it('without control characters of robots.txt', async () => {
    const { url } = await serve(
      (_, response) => void response.end('User-agent: *\nDisallow: /p\x1b[2J'),
    )
    expect(await unfetched(`${url}/p%1B[2J`)).toBe(
      `crawl: ${url}/p%1B[2J: line 2 of robots.txt disallows /p\ufffd[2J\n`,
    )
  })

  it('for each of several seeds', async () => {
    const { url } = await serve((_, response) => void response.end('User-agent: *\nDisallow: /'))
    const stderr = await unfetched(`${url}/a`, `${url}/b`)
    expect(stderr.match(/^crawl: .+\/[ab]: line 2 of robots\.txt disallows \/$/gm)).toHaveLength(2)
  })
})

describe('a seed', () => {
  it('is fetched if it responds, with any status', async () => {
    const { url } = await serve((_, response) => void response.writeHead(404).end())
    const run = await callCrawl([url, '-w', '1', '-q'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.visits).toMatchObject([{ url: `${url}/`, status: 404 }])
  })

  it("is enough if others can't be fetched", async () => {
    const { url } = await serve((_, response) => void response.writeHead(404).end())
    const dead = `http://127.0.0.1:${await freePort()}/`
    const run = await callCrawl([dead, url, '-w', '1', '-q', '--ignore-robots', '--retries', '0'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.visits).toHaveLength(2)
  })

  it('without a scheme is tried with https, then with http', async () => {
    const { url } = await serve((_, response) => void response.writeHead(404).end())
    const run = await callCrawl([url.slice('http://'.length), '-w', '1', '-q'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.visits).toMatchObject([{ url: `${url}/`, status: 404, hop: 'seed' }])
  })

  it.each([[], ['--ignore-robots']])(
    'without a scheme is tried with http after one time-out of https: %s',
    async (...flags) => {
      // It doesn't understand TLS, so it waits for the end of the request.
      const site = await serveRaw((socket) =>
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
      )
      const seed = `127.0.0.1:${site.port}`
      const run = await callCrawl([seed, '-w', '1', '-q', '--connect-timeout', '500ms', ...flags])
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(run.visits).toMatchObject([{ url: `${site.url}/`, status: 404 }])
      expect(site.connections - site.heads.length).toBe(1)
    },
  )

  it('without a scheme is not tried with http after a slow body over https', async () => {
    let requests = 0
    const site = await serveTls({
      ...(await selfSigned()),
      answer: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '4' })
        response.write('<p')
        if (++requests > 1) response.end('>x')
      },
    })
    const limits = ['--ignore-robots', '--insecure', '--timeout', '500ms', '-w', '1', '-q']
    const run = await callCrawl([site.url.slice('https://'.length), ...limits])
    expect(run.visits).toMatchObject([{ url: `${site.url}/`, status: 200, attempts: 2 }])
  })

  it.each([
    ['', 'https://127.0.0.1:PORT/robots.txt: self-signed certificate'],
    ['--ignore-robots', 'https://127.0.0.1:PORT/: self-signed certificate'],
  ])(
    'without a scheme is not tried with http after a certificate error: %s',
    async (flag, reason) => {
      const { port, sessions } = await serveHttp2(() => {}, { allowHTTP1: true })
      const run = await callCrawl([`127.0.0.1:${port}`, '-w', '1', '-q', ...(flag ? [flag] : [])])
      expect(run).toMatchObject({ code: 3 })
      expect(run.stderr).toContain(reason.replace('PORT', `${port}`))
      expect(run.stderr).toContain('--insecure accepts any certificate')
      expect(run.visits).toMatchObject([{ url: `https://127.0.0.1:${port}/` }])
      expect(sessions.size).toBe(0)
    },
  )

  it.each([
    [['--auth', 'me:secret', '-H', 'X-Team: 1'], '', '--auth and --header'],
    [[], 'me:secret@', 'its user and password'],
    [['-H', 'X-Team: 1'], 'me:secret@', 'its user and password and --header'],
  ])(
    'without a scheme is tried with http without secrets, and a warning says so: %j %s',
    async (secrets, login, withheld) => {
      const sent: unknown[] = []
      const { url } = await serve(({ headers }, response) => {
        sent.push(headers.authorization, headers['x-team'])
        response.writeHead(401).end()
      })
      const flags = ['-w', '1', '--log-level', 'warn', '--log-format', 'text', '--ignore-robots']
      const run = await callCrawl([login + url.slice('http://'.length), ...secrets, ...flags])
      expect(sent).toEqual([undefined, undefined])
      expect(run.stderr).toContain(
        `; trying ${url}/ without ${withheld}: only a seed that begins with http:// sends it\n`,
      )
      expect(run.stderr).not.toContain('secret')
    },
  )

  it('that redirects to another origin sends no secrets there, and a warning says so', async () => {
    const sent: unknown[] = []
    const target = await serve(({ headers }, response) => {
      sent.push(headers.authorization)
      response.writeHead(401).end()
    })
    const { url } = await serve(
      (_, response) => void response.writeHead(301, { location: target.url }).end(),
    )
    const flags = ['-w', '1', '--log-level', 'warn', '--log-format', 'text', '--allow-private']
    const secrets = ['--auth', 'me:secret', '--ignore-robots']
    const run = await callCrawl([url, `${url}/b`, ...secrets, ...flags])
    expect(sent).toEqual([undefined])
    expect(run.stderr.match(/without --auth/g)).toHaveLength(1)
    expect(run.stderr).toContain(
      ` redirects to ${target.url}/, which is requested without --auth: only a seed at ${target.url} sends it there\n`,
    )
    const both = await callCrawl([url, `${target.url}/b`, ...secrets, ...flags])
    expect(both.stderr).not.toContain('without --auth')
  })

  it('given twice is fetched once', async () => {
    const { url } = await serve((_, response) => void response.writeHead(404).end())
    const run = await callCrawl([url, `${url}/`, `${url}/#top`, '-w', '1', '-q'])
    expect(run.visits).toHaveLength(1)
  })

  it('may come from a file or from stdin, in addition to arguments', async () => {
    const { url } = await serveTree(1)
    const list = `\uFEFF# some pages\r\n\r\n  ${url}/a  \r\n${url}/b`
    await writeFile(path('seeds.txt'), list)
    const runs = await Promise.all([
      callCrawl([`${url}/1`, '--seeds', path('seeds.txt'), '-w', '1', '-q']),
      callCrawl([`${url}/1`, '--seeds', '-', '-w', '1', '-q'], list),
    ])
    for (const run of runs) {
      expect(run).toMatchObject({ code: 0, stderr: '' })
      const urls = run.visits.map((visit) => visit.url)
      expect(urls.sort()).toEqual([`${url}/1`, `${url}/a`, `${url}/b`])
    }
  })

  it('may be one of 50,000 in a small heap, with many repetitions', async () => {
    const { url } = await serveTree(1)
    const lines = Array.from({ length: 50_000 }, (_, n) => `${url}/a/page/${n % 10_000}\n`)
    await writeFile(path('seeds.txt'), lines.join(''))
    const args = [url, '--seeds', path('seeds.txt'), '--max-pages', '1', '-q']
    const run = await runCrawl(args, { nodeArgs: ['--max-old-space-size=26'] })
    expect(run).toMatchObject({ code: 0, stderr: '', visits: [{ url: `${url}/` }] })
  })

  it('may come from several files', async () => {
    const { url } = await serveTree(1)
    for (const name of ['a', 'b']) await writeFile(path(name), `${url}/${name}\n`)
    const args = ['--seeds', path('a'), '--seeds', path('b'), '-d', '0', '-q']
    const run = await callCrawl(args)
    expect(run.visits.map((visit) => visit.url).sort()).toEqual([`${url}/a`, `${url}/b`])
  })

  it.each([
    ['http://a.test/\nftp://x', 'line 2: expected an http or https URL, got `ftp://x`'],
    [
      'http://a.test/\0http://b.test/',
      'line 1: expected one URL per line in UTF-8, got NUL characters',
    ],
    [`\n\nhttp://${'a'.repeat(2 ** 21)}`, 'line 3: expected a line of at most 1 MiB'],
    [
      `http://a.test/${'a'.repeat(9_000)}`,
      'line 1: expected a URL of at most 8000 characters, got 9014',
    ],
  ])('is refused with its line: %.20j', async (list, message) => {
    const run = await callCrawl(['--seeds', '-'], list)
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: `crawl: --seeds: ${message}\n` })
  })

  it('that is invalid is reported together with all others, with file and line', async () => {
    const [a, b] = ['a', 'b'].map((name) => path(name))
    await writeFile(a ?? '', '# two of them\nftp://x\nhttp://a.test/\nhtps://y.test/\n')
    const words = Array.from({ length: 1_009 }, (_, n) => `word${n}`)
    await writeFile(b ?? '', `http://a.test/\n${words.join('\n')}\n`)
    const run = await callCrawl(['--seeds', a ?? '', '--seeds', b ?? ''])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    const lines = run.stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(11)
    expect(lines.slice(0, 2)).toEqual([
      `crawl: ${a}: line 2: expected an http or https URL, got \`ftp://x\``,
      `crawl: ${a}: line 4: expected an http or https URL (did you mean https://y.test/?), got \`htps://y.test/\``,
    ])
    expect(lines[9]).toContain(`${b}: line 9: `)
    expect(lines[10]).toBe(`crawl: ${b}: and 1,001 more lines`)
  })

  it.each(['/nonexistent/seeds.txt', tmpdir()])("can't come from %s", async (file) => {
    const run = await callCrawl(['--seeds', file])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(
      /^crawl: .+: expected a readable file of URLs, got (?:no file|a folder)\n$/,
    )
  })
})
