import { readdir } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const ROBOTS = 'User-agent: *\nDisallow: /private\nAllow: /private/press\nDisallow: /*.pdf'
const HOME =
  '<a href=/a>a</a><a href=/private/x>b</a><a href=/private/press>c</a><a href=/old/1>d</a>' +
  '<a href=http://127.0.0.2:9/>e</a><a href=mailto:x@example.com>f</a><img src=/logo.png>'

async function site() {
  const requested: string[] = []
  const text = (body: string) => (request: IncomingMessage, response: ServerResponse) => {
    requested.push(request.url ?? '')
    response.setHeader('content-type', body.startsWith('<?xml') ? 'text/xml' : 'text/html')
    response.end(body)
  }
  const { url } = await serveSite({
    '/robots.txt': (_, response) => response.end(`${ROBOTS}\nSitemap: /index.xml`),
    '/': (request, response) => {
      requested.push('/')
      response.writeHead(302, { location: '/home' }).end(request.method)
    },
    ...{ '/home': text(HOME), '/a': text('x'), '/listed': text('x') },
    '/index.xml': text(
      '<?xml version="1.0"?><sitemapindex><sitemap><loc>/part.xml</loc></sitemap></sitemapindex>',
    ),
    '/part.xml': text('<?xml version="1.0"?><urlset><url><loc>/listed</loc></url></urlset>'),
  })
  return { url: `${url}/`, requested }
}

it("--dry-run lists the URLs of the first page and robots.txt's rules, and fetches nothing else", async () => {
  const { url, requested } = await site()
  const run = await callCrawl([url, '--dry-run', '--sitemaps', '--assets', '--exclude', '/old/'])
  const lines = run.stdout.replaceAll(url, '/').split('\n')
  expect([run.code, run.stderr]).toEqual([0, ''])
  expect(lines.slice(0, -2).sort()).toEqual([
    'crawl    /a',
    'crawl    /listed',
    'crawl    /logo.png',
    'crawl    /private/press  (line 3 of robots.txt allows /private/press)',
    'fetched  /  302  (redirects to /home)',
    'fetched  /home  200',
    'fetched  /index.xml  200',
    'fetched  /part.xml  200',
    'skip     /old/1  (excluded)',
    'skip     /private/x  (line 2 of robots.txt disallows /private)',
    'skip     http://127.0.0.2:9/  (out-of-scope)',
    'skip     mailto:x@example.com  (scheme)',
  ])
  expect(lines.slice(-2)).toEqual([
    '4 fetched; 4 would be crawled next, 4 skipped; nothing was written',
    '',
  ])
  expect(requested.sort()).toEqual(['/', '/home', '/index.xml', '/part.xml'])
})

it('--dry-run writes no files, even with options that name some', async () => {
  const { url } = await site()
  const files = ['-o', path('a.csv'), '--skipped', path('b'), '--links', path('c')]
  const folders = [
    '--state',
    path('state'),
    '--save-bodies',
    path('mirror'),
    '--render',
    'always',
    '--screenshots',
    path('shots'),
    '--cookies',
    path('d'),
  ]
  const run = await callCrawl([url, '--dry-run', ...files, ...folders])
  expect([run.code, run.stderr]).toEqual([
    0,
    expect.stringMatching(/^.+ starting without cookies.+\n$/),
  ])
  expect(await readdir(path())).toEqual([])
})

it('--dry-run accepts options that have an effect only with --state', async () => {
  const { url } = await site()
  const options = ['--state', path('state'), '--force', '-o', path('urls.txt'), '--hash']
  const run = await callCrawl([url, '--dry-run', ...options])
  expect([run.code, run.stderr]).toEqual([0, ''])
  expect(await readdir(path())).toEqual([])
})

it('--dry-run -f jsonl prints JSON lines', async () => {
  const { url } = await site()
  const { stdout } = await callCrawl([
    url,
    '--dry-run',
    '-f',
    'jsonl',
    '-d',
    '0',
    '--ignore-robots',
  ])
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ decision }) => decision === 'fetched')).toEqual([
    { decision: 'fetched', url, depth: 0, hop: 'seed', status: 302, redirectsTo: `${url}home` },
    { decision: 'fetched', url: `${url}home`, depth: 0, via: url, hop: 'redirect', status: 200 },
  ])
  expect(lines).toContainEqual({
    ...{ decision: 'skip', reason: 'depth', url: `${url}a`, via: `${url}home`, depth: 1 },
  })
  const { stdout: all } = await callCrawl([url, '--dry-run', '-f', 'jsonl'])
  expect(all).toContain(
    `{"decision":"crawl","url":"${url}private/press","via":"${url}home","depth":1,"rule":"/private/press","line":3}`,
  )
})

it('--dry-run exits with 3 if no seed can be fetched', async () => {
  const { code, stdout, stderr } = await callCrawl(['http://127.0.0.1:9/', '--dry-run'])
  expect([code, stdout, stderr]).toEqual([
    3,
    'failed   http://127.0.0.1:9/  (bad-port)\n0 fetched, 1 failed; 0 would be crawled next, 0 skipped; nothing was written\n',
    expect.stringMatching(/^crawl: http:\/\/127\.0\.0\.1:9\/: .+\n$/),
  ])
})

it.each([
  ['-f csv', '--format: expected line or jsonl with --dry-run, got `csv`'],
  ['--frontier redis://127.0.0.1:9 --job x', '--dry-run: expected no --frontier with it'],
])('--dry-run is refused with %s', async (args, message) => {
  const run = await callCrawl(['http://127.0.0.1:9/', '--dry-run', ...args.split(' ')])
  expect([run.code, run.stderr]).toEqual([2, `crawl: ${message}\n`])
})
