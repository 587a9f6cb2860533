import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { RedisServer } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const LACKING =
  'expected user and password again, which are not stored, in the URL or in CRAWL_LOGINS'

/** Serves a site that requires a login. Each page links to the next. */
async function serveLocked() {
  const authorization = `Basic ${Buffer.from('me:hunter2').toString('base64')}`
  const site = await serve((request, response) => {
    const isRobots = request.url === '/robots.txt'
    if (request.headers.authorization !== authorization && !isRobots) {
      response.writeHead(401).end()
    } else {
      const next = Number(request.url?.slice(1)) + 1
      response.writeHead(isRobots ? 404 : 200, { 'content-type': 'text/html' })
      response.end(`<a href="/${next}">next</a>`)
    }
  })
  const seed = `${site.url}/1`
  return { ...site, seed, locked: seed.replace('//', '//me:hunter2@') }
}

/** Returns the content of all files in a folder, as one text. */
async function contentOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

const SECRETS = /hunter2|aHVudGVy|bTpodW|topsecret/

describe('a crawl with --state', () => {
  it('stores no password, and takes it from the seed or the environment on resume', async () => {
    const proxy = await startHttpProxy()
    onTestFinished(() => proxy.close())
    const site = await serveLocked()
    const kept = ['-o', path('out.jsonl'), '--state', path('state'), '-q', '-d', '99']
    const secrets = [
      ...['-H', 'Cookie: s=topsecret', '-H', 'X-Trace: topsecret'],
      ...['--proxy', proxy.url.replace('//', '//me:topsecret@'), '--allow-private'],
    ]
    const run = (pages: number, args: readonly string[], env = {}) =>
      callCrawl([...args, ...kept, ...secrets, '--max-pages', `${pages}`], '', { env })
    expect(await run(3, [site.locked])).toMatchObject({ code: 0, stderr: '' })
    expect(await contentOf(path())).not.toMatch(SECRETS)

    const refusal = `crawl: ${site.seed.replace('//', '//***@')}: ${LACKING}\n`
    expect(await run(6, [site.seed])).toMatchObject({ code: 2, stderr: refusal })
    expect(await run(6, [])).toMatchObject({ code: 2, stderr: refusal })

    const CRAWL_LOGINS = site.locked
    expect(await run(5, [], { CRAWL_LOGINS })).toMatchObject({ code: 0, stderr: '' })
    expect(await run(7, [site.seed], { CRAWL_LOGINS })).toMatchObject({ code: 0, stderr: '' })
    expect(await run(9, [site.locked])).toMatchObject({ code: 0, stderr: '' })
    expect(await contentOf(path())).not.toMatch(SECRETS)
    const statuses = (await readFile(path('out.jsonl'), 'utf8')).match(/"status":\d+/g)
    expect(statuses).toEqual(Array(9).fill('"status":200'))

    const other = await run(9, [site.locked, `${site.locked}0`])
    expect(other.code).toBe(6)
    expect(other.stderr).toContain('seeds was ["http://***@127')
    expect(other.stderr).not.toMatch(SECRETS)
  })

  it('is readable by its owner only, even in an existing directory', async () => {
    const site = await serveLocked()
    await mkdir(path('state'), { mode: 0o755 })
    const args = ['--state', path('state'), '-q', '-o', path('out.jsonl'), '-d', '1']
    const run = () => callCrawl([site.locked, ...args, '--seen', 'sqlite', '--max-pages', '1'])
    const modes = async () => {
      const names = await readdir(path('state'))
      const all = [path('state'), ...names.map((name) => path('state', name))]
      return Promise.all(all.map(async (name) => ((await stat(name)).mode & 0o777).toString(8)))
    }
    expect((await run()).code).toBe(0)
    const files = await readdir(path('state'))
    expect(files).toEqual(expect.arrayContaining(['crawl.sqlite', 'lock.sqlite', 'seen.sqlite']))
    expect(await modes()).toEqual(['700', ...files.map(() => '600')])
    for (const name of ['', ...files]) await chmod(path('state', name), name === '' ? 0o755 : 0o644)
    expect((await run()).code).toBe(0)
    expect(new Set(await modes())).toEqual(new Set(['700', '600']))
  })
})

it('a job stores no password in Redis; joining processes must give it again', async () => {
  const redis = await RedisServer.start('--requirepass', 'topsecret')
  onTestFinished(() => redis.close())
  const site = await serveLocked()
  const server = redis.url.replace('//', '//:topsecret@')
  const join = (seed: string, args: readonly string[], env = {}) =>
    callCrawl([seed, '-q', '-d', '1', '--job', 'j', ...args], '', { env })
  const first = await join(site.locked, ['--frontier', server, '--max-pages', '1'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const dump = await redis.ask('-a', 'topsecret', '--no-auth-warning', 'HGETALL', 'ow:{j}')
  expect(dump).toContain('***@127.0.0.1')
  expect(dump).not.toMatch(SECRETS)
  expect(await join(site.seed, ['--frontier', server])).toMatchObject({
    code: 2,
    stderr: `crawl: ${site.seed.replace('//', '//***@')}: ${LACKING}\n`,
  })
  const env = { CRAWL_LOGINS: `${site.locked} ${server}` }
  const last = await join(site.seed, ['--frontier', redis.url], env)
  expect(last).toMatchObject({ code: 0, stderr: '' })
  expect(last.visits.map(({ status }) => status)).toEqual([200])
})

it.each([
  ['https://me:hunter2@h:99999999/'],
  ['me:hunter2@ho st'],
  ['http://127.0.0.1:9/', '--proxy', 'htp://me:hunter2@p'],
  ['http://127.0.0.1:9/', '--proxy', 'http://me:hunter2@p:99999999'],
  ['http://127.0.0.1:9/', '--proxi=http://me:hunter2@p'],
  ['http://127.0.0.1:9/', '--frontier', 'redis:/me:hunter2@h', '--job', 'a'],
  ['http://127.0.0.1:9/', '-H', 'Authorization Bearer hunter2'],
  ['http://127.0.0.1:9/', '-H', 'Authorization: Bearer hunter2\u20ac'],
  ['http://127.0.0.1:9/', '--max-pages', 'http://me:hunter2@h'],
])('an error in %s is reported without the password', async (...args) => {
  const run = await callCrawl(args)
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).not.toMatch(/hunter2|^\s+at /m)
})

it('a syntax error in a config file is reported without its content', async () => {
  // V8's message quotes the text around this error.
  await writeFile(path('my.json'), '{"job":"pw9","x":y}')
  const run = await callCrawl(['http://127.0.0.1:9/', '--config', path('my.json')])
  expect(run.code).toBe(2)
  expect(run.stderr).toMatch(/my\.json: expected JSON, got a syntax error: Unexpected token 'y'\n$/)
})

it.each(['Authorization: hunter2', 'Authorization=hunter2', 'Authorization hunter2'])(
  'a password in the name of a header is not printed: %s',
  async (name) => {
    await writeFile(path('config.json'), JSON.stringify({ headers: { [name]: 'x' } }))
    const { code, stderr } = await callCrawl(['http://a.test/', '--config', path('config.json')])
    expect(code).toBe(2)
    expect(stderr).toBe(
      `crawl: ${path('config.json')}: headers.Authorization***: expected a header name, got \`"Authorization***"\`\n`,
    )
  },
)
