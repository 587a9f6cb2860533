import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { SiteGraph } from '../../../src/inspect/report/link-graph.ts'
import { openVisitTable } from '../../../src/inspect/report/load-visits.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()
const on = (name: string) => `https://a.example/${name}`

async function graphOf(visits: readonly object[]): Promise<SiteGraph> {
  const lines = visits.map((visit) => `${JSON.stringify(visit)}\n`)
  await writeFile(path('visits.jsonl'), lines.join(''))
  const database = await openVisitTable(path('visits.jsonl'))
  try {
    return new SiteGraph(database)
  } finally {
    database.close()
  }
}

it('the link graph has all pages, how they were found, and each link between them once', async () => {
  const graph = await graphOf([
    { url: on('lost'), depth: 1, error: 'timeout', via: on('') },
    { url: on('moved'), depth: 1, status: 301, via: on(''), redirectsTo: on('next') },
    { url: on('next'), depth: 1, status: 200, via: on('moved') },
    { url: on(''), depth: 0, status: 200 },
    { url: on('own'), status: 200, via: on('own') },
  ])
  for (const to of ['lost', 'lost', 'next', '', 'elsewhere']) graph.add(on(''), on(to))
  graph.add(on('elsewhere'), on(''))
  expect(graph.data).toEqual({
    pages: [
      [on(''), 200, 0, -1],
      [on('moved'), 301, 1, 0],
      [on('lost'), 'timeout', 1, 0],
      [on('next'), 200, 1, 1],
      [on('own'), 200, null, -1],
    ],
    links: [...[0, 1], ...[1, 3], ...[0, 2], ...[0, 3]],
  })
  expect(graph.isCut).toBe(false)
})

it('the link graph has at most 2,000 pages, nearest first with their parents, and 20,000 links', async () => {
  const far = Array.from({ length: 3_000 }, (_, at) => ({
    url: on(`${at}`),
    depth: 1,
    via: on(''),
  }))
  const beyond = { url: on('beyond'), depth: 2, via: on('2999') }
  const graph = await graphOf([beyond, ...far, { url: on(''), depth: 0 }])
  const urls = graph.data.pages.map(([url]) => url)
  expect(urls).toHaveLength(2_000)
  expect(urls.slice(0, 3)).toEqual([on(''), on('2999'), on('0')])
  for (let from = 0; from < 11; from += 1) for (const url of urls) graph.add(on(`${from}`), url)
  expect(graph.data.links).toHaveLength(40_000)
  expect(graph.isCut).toBe(true)
})
