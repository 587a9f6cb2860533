import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { runCrawl } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { alter, ask, useFolder, visitsIn } from '../support/state-run.ts'
import { until } from '../support/until.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()
const seen = (action: string, urls: readonly string[], stdin = '') =>
  callCrawl(['seen', path('state'), action, ...urls], stdin)
const command = ({ url }: SiteServer) => [
  ...[`${url}/1`, '-q', '-d', '99', '-w', '1', '-c', '1', '--delay', '0'],
  ...['-o', path('out.jsonl'), '--state', path('state')],
]
const crawl = (site: SiteServer, ...flags: string[]) => callCrawl([...command(site), ...flags])
const fetched = async ({ url: site }: SiteServer) =>
  (await visitsIn(path('out.jsonl'))).map(({ url }) => Number(url.slice(site.length + 1)))
const linesOf = (field: string, answers: Record<string, boolean>) =>
  Object.entries(answers)
    .map(([url, answer]) => `${JSON.stringify({ url, [field]: answer })}\n`)
    .join('')

it("a resumed crawl doesn't fetch added URLs, neither waiting nor new ones", async () => {
  const site = await serveTree(15)
  await crawl(site, '--max-pages', '1')
  // 2 is waiting; 3 links to 7 later.
  const [two, seven] = [`${site.url}/2`, `${site.url}/7`]
  const added = await seen(
    'add',
    [two, '-'],
    `# other\n${site.url}:80/../7#top\n`.replace(':80', ''),
  )
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toBe(linesOf('added', { [two]: false, [seven]: true }))
  const requested = await seen('has', [seven, two, `${site.url}/8`])
  expect(requested.stdout).toBe(
    linesOf('seen', { [seven]: true, [two]: true, [`${site.url}/8`]: false }),
  )
  expect((await crawl(site)).code).toBe(0)
  expect((await fetched(site)).toSorted((a, b) => a - b)).toEqual([1, 3, 6, 12, 13])
})

it('an added URL is kept when the seen set is rebuilt from the database', async () => {
  const site = await serveTree(7)
  await crawl(site, '--max-pages', '1')
  await seen('add', [`${site.url}/3`, 'http://a.test/'])
  alter(
    path('state'),
    "UPDATE crawl SET value = json_remove(value, '$.snapshot') WHERE name = 'ledger'",
  )
  expect((await crawl(site)).code).toBe(0)
  expect(await fetched(site)).toEqual([1, 2, 4, 5])
  const added = "SELECT value ->> '$.seen.added' AS added FROM crawl WHERE name = 'ledger'"
  expect(ask(path('state'), added)).toEqual([{ added: 6 }])
})

it.each(chosen(['bloom-counting', 'exact', 'hybrid'], (name) => name !== 'exact'))(
  'a URL that %s forgets is fetched when it is found again',
  async (name) => {
    const site = await serveTree(7)
    const flags = ['--seen', name, '--expected-urls', '10000']
    await crawl(site, '--max-pages', '1', ...flags)
    await seen('add', [`${site.url}/6`, `${site.url}/7`])
    // A resumed crawl includes the added URLs in its snapshot.
    await crawl(site, '--max-pages', '2', ...flags)
    expect(ask(path('state'), 'SELECT * FROM urls WHERE state = 7')).toHaveLength(2)
    const forgotten = await seen('forget', [`${site.url}/7`, `${site.url}/9`])
    expect(forgotten.stdout).toBe(
      linesOf('forgotten', { [`${site.url}/7`]: true, [`${site.url}/9`]: false }),
    )
    expect((await crawl(site, ...flags)).code).toBe(0)
    expect(await fetched(site)).toEqual([1, 2, 3, 4, 5, 7])
  },
)

it("crawl seen forget refuses a set that can't forget, and changes nothing", async () => {
  const site = await serveTree(3)
  await crawl(site, '--max-pages', '1')
  expect(await seen('forget', [`${site.url}/2`])).toMatchObject({
    code: 6,
    stdout: '',
    stderr: `crawl: ${path('state')}: expected a seen set that can forget (bloom-counting, exact, sqlite, hybrid), got bloom-growing\n`,
  })
  expect((await seen('has', [`${site.url}/2`])).stdout).toContain('true')
})

it('URLs are looked up after --canonicalize', async () => {
  const site = await serveTree(3)
  await crawl(site, '--max-pages', '1', '--canonicalize', 'strip-tracking')
  const answer = await seen('has', [`${site.url}/2?utm_source=x`])
  expect(answer.stdout).toBe(linesOf('seen', { [`${site.url}/2`]: true }))
})

it('a URL without a scheme is refused, since it could be either of two', async () => {
  const site = await serveTree(1)
  await crawl(site)
  const { host } = new URL(site.url)
  for (const action of ['has', 'add', 'forget']) {
    expect(await seen(action, [`u:p@${host}/1`])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: `crawl: expected a URL that begins with http:// or https://, got \`***@${host}/1\`\n`,
    })
  }
})

it('all invalid lines of stdin are reported together', async () => {
  const site = await serveTree(3)
  await crawl(site, '--max-pages', '1')
  const bad = await seen('add', ['-'], `tel:1\n${site.url}/3\nmailto:me\n`)
  expect(bad).toMatchObject({ code: 2, stdout: '' })
  expect(bad.stderr).toBe(
    'crawl: stdin: line 1: expected an http or https URL, got `tel:1`\ncrawl: stdin: line 3: expected an http or https URL, got `mailto:me`\n',
  )
})

it('an invalid URL changes nothing, and unknown URLs are listed', async () => {
  const site = await serveTree(3)
  await crawl(site, '--max-pages', '1')
  const bad = await seen('add', [`${site.url}/3`, 'mailto:me'])
  expect(bad).toMatchObject({ code: 2, stdout: '' })
  expect(bad.stderr).toBe('crawl: expected an http or https URL, got `mailto:me`\n')
  expect((await crawl(site)).code).toBe(0)
  expect(await fetched(site)).toEqual([1, 2, 3])
  expect(await seen('steal', ['http://a.test/'])).toMatchObject({
    code: 2,
    stderr: 'crawl: <action>: expected has, add or forget, got `steal`\n',
  })
  const nowhere = await callCrawl(['seen', path('none'), 'add', 'http://a.test/'])
  expect(nowhere).toMatchObject({
    code: 6,
    stderr: `crawl: ${path('none')}: expected the state of a crawl, got none\n`,
  })
})

it('the seen set of a running crawl can be queried, not changed', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const site = await serveTree(7, () => (site.requests.length > 3 ? released : Promise.resolve()))
  const running = runCrawl(command(site))
  const met = async () => (await seen('has', [`${site.url}/3`])).stdout.includes('true')
  await until(met)
  const refused = await seen('add', ['http://a.test/'])
  expect(refused).toMatchObject({ code: 6, stdout: '' })
  expect(refused.stderr).toMatch(/: is in use by process \d+\n$/)
  release()
  expect((await running).code).toBe(0)
  expect(await fetched(site)).toHaveLength(7)
})
