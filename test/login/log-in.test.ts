import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Script } from 'node:vm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { crawl } from '../../src/index.ts'
import { callCrawl } from '../support/call-cli.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { RedisServer } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const html = { 'content-type': 'text/html; charset=utf-8' }

/** A form as it was received. */
interface Sent {
  readonly fields: Readonly<Record<string, string>>
  readonly origin: string | undefined
  readonly referer: string | undefined
}

interface LockedSite extends SiteServer {
  readonly sent: Sent[]
  /** Number of sessions that ended. */
  readonly ended: () => number
}

const FORM = `<base href="/auth/"><form><input name=q></form>
  <form method=post action="session?a=1">
    <input type=hidden name=token value="t&amp;7"><input name=user><input type=password name=password>
    <input type=checkbox name=remember checked><button name=commit value=in>Log in</button></form>`

/**
 * Serves a site behind a form. The page's token and cookie must be sent back. Each page links to the next one and to
 * the logout.
 */
async function serveLocked(form = FORM): Promise<LockedSite> {
  const sent: Sent[] = []
  let ended = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request
    const cookies = headers.cookie ?? ''
    if (url === '/robots.txt') return response.writeHead(404).end()
    if (url === '/login') {
      if (cookies.includes('session=s1')) return response.writeHead(302, { location: '/1' }).end()
      return response.writeHead(200, { ...html, 'set-cookie': 'csrf=t7; Path=/' }).end(form)
    }
    if (url === '/auth/session?a=1') {
      const fields = Object.fromEntries(new URLSearchParams(await text(request)))
      sent.push({ fields, origin: headers.origin, referer: headers.referer })
      const isRight = fields['password'] === 'hunter2' && fields['token'] === 't&7'
      if (!isRight || !cookies.includes('csrf=t7'))
        return response.writeHead(200, html).end('Wrong')
      const session = { 'set-cookie': 'session=s1; Path=/; HttpOnly', location: '/account' }
      return response.writeHead(303, session).end()
    }
    const isMember = cookies.includes('session=s1')
    if (url === '/about')
      return response.writeHead(200, html).end(`About us${isMember ? '. Hello, me' : ''}`)
    if (!isMember) return response.writeHead(302, { location: '/login' }).end()
    if (url === '/logout') ended++
    const next = Number(/\d+/.exec(url)?.[0] ?? 0) + 1
    return response
      .writeHead(200, html)
      .end(
        `<p>Hello,\n me</p><a href="/${next}">next</a><a href="/logout">out</a><a href="/?do=logout">`,
      )
  }
  return Object.assign(await serve(answer), { sent, ended: () => ended })
}

async function loginFile(site: { readonly url: string }, changes: object = {}): Promise<string> {
  vi.stubEnv('TEST_PASSWORD', 'hunter2')
  onTestFinished(() => void vi.unstubAllEnvs())
  const login = {
    url: `${site.url}/login`,
    fields: { user: 'me', password: { env: 'TEST_PASSWORD' } },
    check: { cookie: 'session' },
    ...changes,
  }
  await writeFile(path('login.json'), JSON.stringify(login))
  return path('login.json')
}

/** Lets the time limits of synchronous work end a hundred times as fast. */
function hastenTimeouts(): void {
  const { runInContext } = Script.prototype
  const spy = vi.spyOn(Script.prototype, 'runInContext')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation(function (this: Script, context, options) {
    return runInContext.call(this, context, { timeout: (options?.timeout ?? 0) / 100 })
  })
}

describe('a login', () => {
  it('sends the form with hidden fields; all workers get its cookies; logout links are skipped', async () => {
    const site = await serveLocked()
    const flags = ['-d', '3', '-w', '3', '-vv', '--skipped', path('skipped.jsonl')]
    const run = await callCrawl([`${site.url}/1`, ...flags, '--login', await loginFile(site)])
    expect(site.sent).toEqual([
      {
        fields: { token: 't&7', user: 'me', password: 'hunter2', remember: 'on', commit: 'in' },
        origin: site.url,
        referer: `${site.url}/login`,
      },
    ])
    expect(run.visits.map(({ url, status }) => [url, status])).toEqual(
      [1, 2, 3, 4].map((page) => [`${site.url}/${page}`, 200]),
    )
    expect(run.stdout + run.stderr).not.toContain('hunter2')
    expect(run.stderr).toContain(`Logged in at ${site.url}/login`)
    // Links that log out are not followed, so the session continues.
    expect(site.ended()).toBe(0)
    const lines = (await readFile(path('skipped.jsonl'), 'utf8')).trim().split('\n')
    const reasons = lines
      .map((line) => JSON.parse(line))
      .filter(({ reason }) => reason === 'logout')
    expect(reasons.map(({ url }) => url)).toEqual([`${site.url}/logout`, `${site.url}/?do=logout`])
  })

  const CHECKS: [string, object][] = [
    ['its status', { status: 303 }],
    ['the text of the next page', { text: 'Hello, me' }],
    ['a page', { url: '/5', text: 'Hello, me' }],
  ]
  // A later test checks a text on a public page.
  it.each(chosen(CHECKS, ([name]) => !name.includes('text')))(
    'can be checked by %s',
    async (_, { url, ...check }: { readonly url?: string }) => {
      const site = await serveLocked()
      const place = url === undefined ? {} : { url: site.url + url }
      const file = await loginFile(site, { check: { ...check, ...place } })
      const run = await callCrawl([`${site.url}/1`, '-d', '0', '-q', '--login', file])
      expect(run.visits).toMatchObject([{ status: 200 }])
    },
  )

  it.each<[string, object, string]>([
    ['a cookie', { cookie: 'session' }, 'the site set no cookie named session'],
    ['a cookie that existed before', { cookie: 'csrf' }, 'the site set no new cookie named csrf'],
    ['a status', { status: 303 }, 'the answer to the form has the status 200, not 303'],
    ['a text', { text: 'Hello' }, 'SITE/auth/session?a=1 does not contain `Hello`'],
    [
      'a page',
      { url: 'SITE/account' },
      'SITE/account redirects to SITE/login, so the login was not accepted',
    ],
  ])(
    'that fails its check by %s ends the command with one sentence, and leaves no file',
    async (_, check, why) => {
      const site = await serveLocked()
      const own = JSON.parse(JSON.stringify(check).replaceAll('SITE', site.url))
      const fields = { user: 'me', password: 'wrong' }
      const flags = [
        '--login',
        await loginFile(site, { check: own, fields }),
        '-o',
        path('out.csv.gz'),
      ]
      const run = await callCrawl([`${site.url}/1`, '-q', ...flags])
      const message = `the login at ${site.url}/login failed: ${why.replaceAll('SITE', site.url)}`
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: `crawl: ${message}\n` })
      expect(existsSync(path('out.csv.gz'))).toBe(false)
      expect(site.requests.map(({ url }) => url)).not.toContain('/1')
    },
  )

  it.each(chosen<object>([{ status: 303 }, { cookie: 'flash' }], (_, index) => index === 1))(
    'fails in spite of %j if the site shows the form again',
    async (check) => {
      const site = await serve(({ method }, response) => {
        if (method !== 'POST') return response.writeHead(200, html).end(FORM)
        return response
          .writeHead(303, { location: '/login?wrong', 'set-cookie': 'flash=Wrong' })
          .end()
      })
      const run = await callCrawl([
        `${site.url}/1`,
        '-q',
        '--login',
        await loginFile(site, { check }),
      ])
      const why = `${site.url}/login?wrong shows the form again, so the login was not accepted`
      expect(run).toMatchObject({
        code: 2,
        stderr: `crawl: the login at ${site.url}/login failed: ${why}\n`,
      })
    },
  )

  it.each<[string, object, string]>([
    ['a page', { url: 'SITE/about' }, 'SITE/about opens without a login'],
    [
      'a page and its text',
      { url: 'SITE/about', text: 'About us' },
      'SITE/about contains `About us` without a login',
    ],
  ])('is refused if its check by %s succeeds without it', async (_, check, why) => {
    const site = await serveLocked()
    const own = JSON.parse(JSON.stringify(check).replaceAll('SITE', site.url))
    const flags = ['-q', '--login', await loginFile(site, { check: own })]
    const run = await callCrawl([`${site.url}/1`, ...flags])
    const message = `the login at ${site.url}/login failed: ${why.replaceAll('SITE', site.url)}, so check.url proves nothing: expected a page that only members can open`
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: `crawl: ${message}\n` })
    expect(site.sent).toEqual([])
  })

  it('can be checked by a text on a public page that only members see', async () => {
    const site = await serveLocked()
    const check = { url: `${site.url}/about`, text: 'Hello, me' }
    const flags = ['-d', '0', '-q', '--login', await loginFile(site, { check })]
    const run = await callCrawl([`${site.url}/1`, ...flags])
    expect(run.visits).toMatchObject([{ status: 200 }])
    expect(site.requests.filter(({ url }) => url === '/about')).toHaveLength(2)
  })

  it('sends nothing to another origin', async () => {
    const other = await serve((_, response) => response.end('x'))
    const site = await serveLocked(FORM.replace('session?a=1', `${other.url}/session`))
    const away = await serve((_, response) =>
      response.writeHead(302, { location: `${other.url}/login` }).end(),
    )
    const mail = await serveLocked(FORM.replace('session?a=1', 'mailto:me@a.test'))
    for (const [place, why] of [
      [mail, 'the action of its form is no http or https URL'],
      [site, `its form is sent to ${other.url}/session, another origin`],
      [away, `${away.url}/login redirects to ${other.url}/login, another origin`],
    ] as const) {
      const run = await callCrawl([`${place.url}/1`, '-q', '--login', await loginFile(place)])
      expect(run.stderr).toBe(`crawl: the login at ${place.url}/login failed: ${why}\n`)
    }
    expect(other.requests).toEqual([])
  })

  it('sends no password in a URL if the method of the form is GET', async () => {
    const site = await serveLocked(FORM.replace('method=post', ''))
    const run = await callCrawl([`${site.url}/1`, '-q', '--login', await loginFile(site)])
    const why =
      'its form is not sent with POST: expected `method=post`, or `action` with the URL that a script posts the fields to'
    const message = `the login at ${site.url}/login failed: ${why}`
    expect(run).toMatchObject({ code: 2, stderr: `crawl: ${message}\n` })
    expect(site.requests.filter(({ url }) => url !== '/login')).toEqual([])
  })

  it('fails after more than ten redirects', async () => {
    const serveChain = (length: number) =>
      serve(({ url = '' }, response) => {
        const step = Number(/\d+/.exec(url)?.[0] ?? 0)
        if (step === length) return response.writeHead(200, html).end('The end')
        return response.writeHead(302, { location: `/login${step + 1}` }).end()
      })
    for (const [length, why] of [
      [10, '/login10 has no form with the fields user, password'],
      [11, 'more than 10 redirects'],
    ] as const) {
      const site = await serveChain(length)
      const run = await callCrawl([`${site.url}/1`, '-q', '--login', await loginFile(site)])
      expect(run.code).toBe(2)
      expect(run.stderr.replaceAll(site.url, '')).toBe(
        `crawl: the login at /login failed: ${why}\n`,
      )
    }
  })

  it('reads no more than 4 MiB of a page', async () => {
    for (const [length, code] of [
      [4 * 2 ** 20 - FORM.length, 0],
      [4 * 2 ** 20, 2],
    ] as const) {
      const site = await serveLocked(' '.repeat(length) + FORM)
      const file = await loginFile(site)
      expect(await callCrawl([`${site.url}/1`, '-d', '0', '-q', '--login', file])).toMatchObject({
        code,
      })
    }
  })

  it('fails if a page nests so many elements that parsing takes too long', async () => {
    hastenTimeouts()
    const site = await serveLocked('<svg>'.repeat(260_000))
    const run = await callCrawl([`${site.url}/1`, '-q', '--login', await loginFile(site)])
    const message = `the login at ${site.url}/login failed: ${site.url}/login can't be read: took longer than `
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it('fails if a page nests elements too deeply', async () => {
    const site = await serveLocked('<div>'.repeat(20_000))
    const check = { url: `${site.url}/login`, text: 'Hello' }
    const file = await loginFile(site, { check })
    const run = await callCrawl([`${site.url}/1`, '-q', '--login', file])
    const message = `the login at ${site.url}/login failed: ${site.url}/login can't be read: its elements are nested too deeply`
    expect(run).toMatchObject({ code: 2, stderr: `crawl: ${message}\n` })
  })

  it.each([
    [
      'a button that posts',
      FORM.replace('method=post', '').replace('<button', '<button formmethod=POST'),
    ],
    [
      'the first button that is enabled',
      FORM.replace('<button', '<button name=commit value=no disabled></button><button'),
    ],
    [
      'a button with an action of its own',
      FORM.replace('action="session?a=1"', 'action=search').replace(
        '<button',
        '<button formaction="session?a=1"',
      ),
    ],
    ['a button that only a script enables', FORM.replace('<button', '<button disabled')],
  ])('presses %s', async (_, form) => {
    const site = await serveLocked(form)
    await callCrawl([`${site.url}/1`, '-q', '-d', '0', '--login', await loginFile(site)])
    expect(site.sent).toMatchObject([{ fields: { commit: 'in' } }])
  })

  it.each([
    [
      'between the rows of a table',
      `<table><tr><td><input name=user></tr><form method=post action=/auth/session?a=1>
        <tr><td><input type=hidden name=token value="t&amp;7"><input name=user><input name=password>
        <tr><td><button name=commit value=in>Log in</button></form>
        <form action=/find><tr><td><input name=q></form></table>`,
    ],
    [
      'that its fields name',
      `<input form=login name=user><form id=other action=/find></form>
        <form id=login method=post action=/auth/session?a=1><input name=password>
        <input form=other name=q><input type=hidden name=token value="t&amp;7"></form>
        <button form=login name=commit value=in>Log in</button>`,
    ],
  ])('sends all fields of a form %s', async (_, form) => {
    const site = await serveLocked(form)
    const run = await callCrawl([
      `${site.url}/1`,
      '-q',
      '-d',
      '0',
      '--login',
      await loginFile(site),
    ])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const fields = { token: 't&7', user: 'me', password: 'hunter2', commit: 'in' }
    expect(site.sent).toEqual([expect.objectContaining({ fields })])
  })

  it.each([
    ['its page', '<meta charset=latin1>', ''],
    ['its form', '', 'accept-charset="latin1, utf-8"'],
  ])(
    'encodes the fields in the encoding of %s, and reads pages in theirs',
    async (_, meta, accepts) => {
      const received: string[] = []
      const site = await serve(async (request, response) => {
        const type = { 'content-type': 'text/html' }
        if (request.method === 'POST') {
          received.push(await text(request))
          return response
            .writeHead(200, type)
            .end(Buffer.from('<meta charset=latin1>Grüße', 'latin1'))
        }
        const form = `<form method=post ${accepts}><input name=user><button name=go value="h&eacute;">`
        return response.writeHead(200, type).end(Buffer.from(meta + form, 'latin1'))
      })
      const changes = { fields: { user: 'Jörg €' }, check: { text: 'Grüße' } }
      const flags = ['-q', '-d', '0', '--login', await loginFile(site, changes)]
      const run = await callCrawl([`${site.url}/1`, ...flags])
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(received).toEqual(['go=h%E9&user=J%F6rg+%80'])
    },
  )

  it('sends the form once if a page that it leads to redirects with 307', async () => {
    const site = await serve(({ method, url }, response) => {
      if (url === '/login')
        return response.writeHead(200, html).end('<form method=post action=/do><input name=user>')
      if (url === '/do')
        return response.writeHead(303, { location: '/home', 'set-cookie': 'session=s1' }).end()
      if (url === '/home') return response.writeHead(307, { location: '/home/' }).end()
      return response.writeHead(200, html).end(method)
    })
    const file = await loginFile(site, { fields: { user: 'me' } })
    const run = await callCrawl([`${site.url}/1`, '-q', '-d', '0', '--login', file])
    expect(run.visits).toMatchObject([{ status: 200 }])
    const posted = site.requests.filter(({ method }) => method === 'POST')
    expect(posted.map(({ url }) => url)).toEqual(['/do'])
  })

  it('accepts a cookie that is set for the folder of the page after the login only', async () => {
    const site = await serve(({ method, url }, response) => {
      if (url === '/login' && method === 'POST')
        return response.writeHead(303, { location: '/account/home' }).end()
      if (url === '/account/home')
        return response.writeHead(200, { ...html, 'set-cookie': 'session=s1' }).end()
      return response.writeHead(200, html).end('<form method=post><input name=user>')
    })
    const file = await loginFile(site, { fields: { user: 'me' } })
    const run = await callCrawl([`${site.url}/account/1`, '-q', '-d', '0', '--login', file])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(site.requests.at(-1)?.headers.cookie).toBe('session=s1')
  })

  it('makes no request to a private address that is not a seed', async () => {
    const [site, seed] = await Promise.all([
      serveLocked(),
      serve((_, response) => response.end('x')),
    ])
    const run = await callCrawl([`${seed.url}/`, '-q', '--login', await loginFile(site)])
    expect(run.code).toBe(2)
    expect(run.stderr).toContain(`${site.url}/login can't be fetched: 127.0.0.1 is not public`)
    expect(site.requests).toEqual([])
  })

  it('names the fields of the page if it lacks those of the login', async () => {
    const form =
      '<form method=post><input name=email><input type=hidden name=token><input name=pin>'
    const failure = async (html: string, more = {}) => {
      const site = await serveLocked(html)
      const file = await loginFile(site, more)
      const { stderr } = await callCrawl([`${site.url}/1`, '-q', '--login', file])
      return stderr.replaceAll(site.url, '').replace('crawl: the login at /login failed: ', '')
    }
    expect(await failure(form)).toBe(
      '/login has no form with the fields user, password; the fields of the page are email, pin\n',
    )
    expect(await failure(form, { form: '#none' })).toContain('/login has no form `#none` with the')
    expect(await failure('<div id=app></div><script src=/app.js></script>')).toBe(
      '/login has no form with the fields user, password; if a script builds the form, give its `action`\n',
    )
  })

  it('reports missing fields, and can use a given action if a script creates the form', async () => {
    const site = await serveLocked('<div id=app></div>')
    const none = await callCrawl([`${site.url}/1`, '-q', '--login', await loginFile(site)])
    expect(none.stderr).toContain(`${site.url}/login has no form with the fields user, password\n`)
    const fields = { user: 'me', password: { env: 'TEST_PASSWORD' }, token: 't&7' }
    const action = { action: `${site.url}/auth/session?a=1`, fields }
    const run = await callCrawl([
      `${site.url}/1`,
      '-q',
      '-d',
      '0',
      '--login',
      await loginFile(site, action),
    ])
    expect(run.visits).toMatchObject([{ status: 200 }])
  })

  it('uses the proxy', async () => {
    const proxy = await startHttpProxy()
    onTestFinished(() => proxy.close())
    const site = await serve((request, response) => response.end(`${request.method}`))
    const flags = ['-q', '--proxy', proxy.url, '--login', await loginFile(site)]
    const run = await callCrawl([`${site.url}/1`, ...flags])
    expect(run.stderr).toContain('has no form')
    expect(proxy.requests).toEqual([`GET ${site.url}/login`])
  })

  it('is repeated when a crawl with --state is resumed, which stores no password', async () => {
    const site = await serveLocked()
    const file = await loginFile(site)
    const flags = [
      '-d',
      '9',
      '-q',
      '--state',
      path('state'),
      '-o',
      path('out.jsonl'),
      '--login',
      file,
    ]
    await callCrawl([`${site.url}/1`, ...flags, '--max-pages', '2'])
    await callCrawl([`${site.url}/1`, ...flags, '--max-pages', '4'])
    expect(site.sent).toHaveLength(2)
    const lines = (await readFile(path('out.jsonl'), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).status)).toEqual([200, 200, 200, 200])
    expect(await readFile(path('state/crawl.sqlite'), 'latin1')).not.toContain('hunter2')
    const again = await callCrawl(['-q', '--state', path('state')])
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('give --login again') })
  })

  it('is done by each process of a job', async () => {
    const redis = await RedisServer.start()
    onTestFinished(() => redis.close())
    const site = await serveLocked()
    const flags = [
      '-q',
      '--frontier',
      redis.url,
      '--job',
      'locked',
      '--login',
      await loginFile(site),
    ]
    const run = (pages: string) =>
      callCrawl([`${site.url}/1`, '-d', '2', ...flags, '--max-pages', pages])
    const visits = [...(await run('1')).visits, ...(await run('9')).visits]
    expect(visits.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(site.sent).toHaveLength(2)
  })

  it('is aborted when the crawl is stopped', async () => {
    const requested = Promise.withResolvers<void>()
    const site = await serve(() => requested.resolve())
    const silent = crawl({ seeds: [`${site.url}/1`], workers: 1, login: await loginFile(site) })
    await requested.promise
    silent.stop()
    // Long before the timeout of a request.
    expect(await silent.finished).toMatchObject({ reason: 'stopped', visits: 0 })
  })

  it('is available in the library, too', async () => {
    const site = await serveLocked()
    const statuses: unknown[] = []
    const settings = {
      seeds: [`${site.url}/1`],
      depth: 1,
      workers: 1,
      login: await loginFile(site),
    }
    for await (const { status } of crawl(settings)) statuses.push(status)
    expect(statuses).toEqual([200, 200])
  })
})
