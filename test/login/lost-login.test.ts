import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import type { SiteServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const html = { 'content-type': 'text/html' }
const FORM = '<form method=post action="/session"><input name=user></form>'
/** Links of each page to the login page and to the target of its form. */
const MENU = '<a href="/login"></a><a href="/login?next=/members/1"></a><a href="/session"></a>'
const LOGIN_LINKS = ['/login', '/login?next=/members/1', '/session']
const PAGES = Array.from({ length: 12 }, (_, page) => `/members/${page}`)

interface Behavior {
  /** Pages that end the session. */
  readonly leaves?: RegExp
  /** A page that redirects even members to the login page. */
  readonly forbidden?: string
  /** Number of logins that the site accepts. */
  readonly logins?: number
  /** Number of pages that a session may have. */
  readonly pages?: number
}

/** Serves a site of 12 pages for members. It redirects others to its login page, which starts a new session. */
async function serveMembers({ leaves, forbidden, logins = 99, pages = 999 }: Behavior = {}) {
  /** Number of pages that each session may still have. */
  const members = new Map<string, number>()
  let sessions = 0
  let accepted = 0
  return serve(({ url = '', method, headers }, response) => {
    if (url === '/robots.txt') return response.writeHead(404).end()
    const session = /sid=(\d+)/.exec(headers.cookie ?? '')?.[1] ?? 'none'
    if (method === 'POST' && accepted++ < logins) members.set(session, pages)
    const answer = { location: '/members/0', 'set-cookie': 'user=me; Path=/' }
    if (method === 'POST') return response.writeHead(303, answer).end()
    if (/^\/(?:login|session)\b/.test(url)) {
      const cookie = { 'set-cookie': `sid=${++sessions}; Path=/` }
      return response.writeHead(200, { ...html, ...cookie }).end(FORM)
    }
    const left = members.get(session) ?? 0
    const isMember = left > 0
    members.set(session, left - 1)
    if (leaves?.test(url) === true) members.delete(session)
    if (!isMember || url === forbidden)
      return response.writeHead(302, { location: `/login?next=${url}` }).end()
    const next = PAGES.map((page) => `<a href="${page}"></a>`).join('')
    return response.writeHead(200, html).end(MENU + next)
  })
}

async function crawlMembers(site: SiteServer, flags: readonly string[] = [], check = '/members/0') {
  const login = { url: `${site.url}/login`, fields: { user: 'me' } }
  const file = path('login.json')
  const proof = check.startsWith('/') ? { url: site.url + check } : { cookie: check }
  await writeFile(file, JSON.stringify({ ...login, check: proof }))
  const { code, stderr, visits } = await callCrawl([
    `${site.url}/members/0`,
    '-d',
    '9',
    '--login',
    file,
    ...flags,
  ])
  const statuses = visits.map(({ url, status }) => [url.slice(site.url.length), status])
  const messages = stderr.split('\n').flatMap((line) => {
    const { level, msg } = line === '' ? {} : JSON.parse(line)
    return level === 40 || level === 'warn' ? [String(msg).replaceAll(site.url, '')] : []
  })
  const posts = site.requests.filter(({ method }) => method === 'POST').length
  return { code, stderr, visits, statuses: statuses.toSorted(), messages, posts }
}

const ALL = PAGES.map((page) => [page, 200]).toSorted()

describe('a crawl with --login', () => {
  it("doesn't request the login page, which would start another session, and lists it with --skipped", async () => {
    const site = await serveMembers()
    const skipped = path('skipped.jsonl')
    const run = await crawlMembers(site, ['--skipped', skipped])
    expect(run).toMatchObject({ code: 0, statuses: ALL, messages: [], posts: 1 })
    const lines = (await readFile(skipped, 'utf8')).trim().split('\n')
    const skips = lines.map((line) => JSON.parse(line)).filter(({ reason }) => reason === 'login')
    expect(skips.map(({ url }) => url.slice(site.url.length))).toEqual(LOGIN_LINKS)
  })

  it.each([[[]], [['--deterministic']]])(
    'logs in again after a page ended the session, and retries pages that redirected to it %j',
    async (flags) => {
      const site = await serveMembers({ leaves: /s\/5$/ })
      const run = await crawlMembers(site, flags)
      expect(run).toMatchObject({ code: 0, statuses: ALL, posts: 2 })
      expect(run.messages).toEqual([
        expect.stringMatching(
          /^The login was lost: \/members\/\d+ was redirected to \/login\?next=\/members\/\d+\. Logged in again$/,
        ),
      ])
    },
  )

  it('loses only the page that itself logs out, and logs its URL', async () => {
    const site = await serveMembers({ leaves: /s\/5$/, forbidden: '/members/5' })
    const run = await crawlMembers(site)
    expect(run).toMatchObject({ code: 0 })
    expect(run.statuses).toEqual(
      ALL.map(([page, status]) => [page, page === '/members/5' ? 302 : status]),
    )
    expect(run.messages.at(-1)).toBe(
      '/members/5 was redirected to /login?next=/members/5 after each login: it may log out, or need other rights; --exclude leaves it out',
    )
  })

  it('accepts a redirect to the login page if it is still logged in', async () => {
    const site = await serveMembers({ forbidden: '/members/7' })
    const run = await crawlMembers(site)
    expect(run).toMatchObject({ code: 0, messages: [], posts: 1 })
    expect(run.statuses).toEqual(
      ALL.map(([page, status]) => [page, page === '/members/7' ? 302 : status]),
    )
    expect(run.visits.find(({ url }) => url.endsWith('/7'))).toMatchObject({ attempts: 2 })
  })

  it('loses no page if several pages end the session', async () => {
    const site = await serveMembers({ leaves: /[258]$/ })
    const run = await crawlMembers(site, ['-w', '2'])
    expect(run).toMatchObject({ code: 0, statuses: ALL })
    expect(run.posts).toBeGreaterThan(2)
  })

  it('reports a lost login if it could not log in again', async () => {
    const site = await serveMembers({ leaves: /s\/5$/, logins: 1 })
    const run = await crawlMembers(site)
    expect(run).toMatchObject({ code: 10, posts: 3 })
    expect(run.statuses).toHaveLength(12)
    expect(run.messages).toEqual([
      expect.stringMatching(
        /^Logging in again failed, and is tried once more: the login at \/login/,
      ),
      expect.stringMatching(
        /^The login was lost: \/members\/\d+ was redirected to \/login\?next=\/members\/\d+\. Logging in again failed: the login at \/login failed: \/members\/0 redirects to \/login\?next=\/members\/0, so the login was not accepted$/,
      ),
    ])
    const lost = run.statuses.filter(([, status]) => status === 302).length
    expect(lost).toBeGreaterThan(0)
    const summary = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '')
    expect(summary).toMatchObject({ login: { renewals: 0, lost } })
  })

  it('loses no page without check.url if sessions end repeatedly', async () => {
    const site = await serveMembers({ pages: 3 })
    const run = await crawlMembers(site, [], 'user')
    expect(run).toMatchObject({ code: 0, statuses: ALL })
    expect(run.posts).toBeGreaterThan(3)
  })

  it('without check.url, logs in again and then accepts redirects to the login page', async () => {
    const site = await serveMembers({ forbidden: '/members/7', leaves: /s\/5$/ })
    const run = await crawlMembers(site, [], 'user')
    expect(run.code).toBe(0)
    expect(run.statuses).toEqual(
      ALL.map(([page, status]) => [page, page === '/members/7' ? 302 : status]),
    )
  })
})
