import { expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { startServer } from '../support/site-server.ts'

const LINKS = ['/a', '/private/x', 'mailto:x@y', 'http://other.test/'].map(
  (href) => `<a href="${href}">x</a>`,
)

/** Starts a site that asks for a pause, forbids a folder, and is busy once. */
async function startSite() {
  let isBusy = true
  const site = await startServer(({ url }, response) => {
    if (url === '/robots.txt') {
      response.end('User-agent: *\nCrawl-delay: 0.05\nDisallow: /private')
    } else if (url === '/a' && isBusy) {
      isBusy = false
      response.writeHead(503, { 'retry-after': '1' }).end()
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(LINKS.join(''))
  })
  onTestFinished(() => site.close())
  return site
}

it.each([
  ['-v', false],
  ['-vv', true],
])("the log of a crawl with %s explains the crawl's decisions", async (flag, isTracing) => {
  const { url } = await startSite()
  const { stderr, visits, code } = await callCrawl([`${url}/`, flag, '--log-format', 'text'])
  expect([code, visits.length]).toEqual([0, 2])
  for (const line of [
    `Skipped ${url}/private/x: robots (/private, line 3), linked from ${url}/`,
    `Skipped mailto:x@y: scheme, linked from ${url}/`,
    `Skipped http://other.test/: out-of-scope, linked from ${url}/`,
    `the next request to ${new URL(url).host}: Crawl-delay in robots.txt`,
    `Trying ${url}/a again in 1 s, after attempt 1: answered 503`,
    `Waiting 1 s before the next request to ${new URL(url).host}: Retry-After of a response`,
  ]) {
    expect(stderr).toContain(line)
  }
  expect(stderr.includes(`TRACE: Worker 1 gets ${url}/a`)).toBe(isTracing)
})

it('the log of a crawl explains no decisions otherwise', async () => {
  const { url } = await startSite()
  const { stderr } = await callCrawl([`${url}/`])
  expect(stderr).not.toMatch(/Skipped|Trying|Waiting|gets/)
  const both = await callCrawl([`${url}/`, '-vq'])
  expect(both).toMatchObject({
    ...{ code: 2, stderr: 'crawl: expected one of --quiet and --verbose, got both\n' },
  })
})
