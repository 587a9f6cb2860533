import { expect, it } from 'vitest'
import type { Visit } from '../../src/records/visit.ts'
import { callCrawl } from '../support/call-cli.ts'
import { startChangingSite } from '../support/changing-site.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'

const path = useFolder()
const text = Array.from({ length: 300 }, (_, index) => `word${(index * 7919) % 1_009}`).join(' ')

it.each(['exact', 'near'])(
  'a resumed crawl recognizes duplicates of earlier pages: %s',
  async (kind) => {
    const site = await serveSite({
      '/': ['/a', '/b', '/c'].map((to) => `<a href="${to}">to</a>`).join(''),
      ...{ '/a': `<p>${text}`, '/b': 'alone', '/c': `<p>${text}` },
    })
    const flags = ['-o', path('out.jsonl'), '--state', path('state'), '-q', '-w', '1', '-c', '1']
    const command = [`${site.url}/`, ...flags, '--content-dedup', kind, '--no-follow-duplicates']
    for (const limit of ['2', '3', '9']) {
      expect((await callCrawl([...command, '--max-pages', limit])).stderr).toBe('')
    }
    const originals = (await visitsIn(path('out.jsonl'))).map(({ duplicateOf }) => duplicateOf)
    expect(originals).toEqual([undefined, undefined, undefined, `${site.url}/a`])
  },
)

it.each(['exact', 'near'])(
  'no page is a duplicate of one that was gone or redirected before it: %s',
  async (kind) => {
    const site = await startChangingSite({
      '/': { body: ['/a', '/b', '/c'].map((to) => `<a href="${to}">to</a>`).join('') },
      ...{ '/a': { body: `<p>${text}` }, '/b': { body: `<p>${text}` }, '/c': { body: 'alone' } },
    })
    const flags = ['-o', path('out.jsonl'), '--state', path('state'), '-q', '-w', '1', '-c', '1']
    const round = ['--content-dedup', kind, '--revisit-after', '0']
    const crawl = () => callCrawl([`${site.server.url}/`, ...flags, ...round])
    await crawl()
    site.pages.set('/a', { status: 404 })
    await crawl()
    site.pages.set('/b', { status: 302, location: '/' })
    site.pages.set('/c', { body: `<p>${text}` })
    await crawl()
    const of = (visit: Visit) => visit.duplicateOf?.slice(site.server.url.length)
    const found = (await visitsIn(path('out.jsonl'))).filter((visit) => of(visit) !== undefined)
    expect(found.map((visit) => [new URL(visit.url).pathname, of(visit)])).toEqual([['/b', '/a']])
  },
)

it('a record on stdout has its seq field after duplicateOf', async () => {
  const page = `<p>${text}<a href="/b">b</a>`
  const site = await serveSite({ '/': page, '/b': page })
  const kept = ['--state', path('state'), '--content-dedup', 'exact']
  const run = await callCrawl([`${site.url}/`, '-q', ...kept])
  expect(run.visits.map(({ duplicateOf, seq }) => [duplicateOf, seq])).toEqual([
    [undefined, 1],
    [`${site.url}/`, 2],
  ])
  expect(Object.keys(run.visits[1] ?? {}).slice(-2)).toEqual(['duplicateOf', 'seq'])
})
