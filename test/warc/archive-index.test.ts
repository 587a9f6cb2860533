import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { type IndexedBody, indexedBodies } from '../../src/warc/archive-index.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const HASH = 'GDP5FU53RJ7DEQN5O6JOSCUY5O3QXY5E'
const body = {
  url: 'http://a.test/b%20c',
  date: '2026-11-27T21:24:40Z',
  digest: `sha1:${HASH}`,
}

/** Returns the bodies of an index with this content. */
async function read(content: string | Buffer) {
  const file = path('index')
  writeFileSync(file, content)
  const bodies: IndexedBody[] = []
  for await (const found of indexedBodies(file)) bodies.push(found)
  return bodies
}

/** Returns a line of CDXJ. */
function cdxj(fields: object, timestamp = '20261127212440'): string {
  const all = { url: body.url, mime: 'text/html', status: '200', digest: HASH, ...fields }
  return `test,a)/b%20c ${timestamp} ${JSON.stringify(all)}\n`
}

it('the lines of CDXJ are read, with and without a label of the digest, and compressed', async () => {
  const text = `!OpenWayback-CDXJ 1.0\n${cdxj({})}\n${cdxj({ digest: `sha1:${HASH.toLowerCase()}` }, '20261127212440123')}`
  expect(await read(text)).toEqual([body, { ...body, date: '2026-11-27T21:24:40.123Z' }])
  expect(await read(gzipSync(cdxj({})))).toEqual([body])
})

it.each([
  ['of a revisit', cdxj({ mime: 'warc/revisit' })],
  ['with another digest', cdxj({ digest: `sha256:${'0'.repeat(64)}` })],
  ['without a digest', cdxj({ digest: undefined })],
  ['with a line break in its URL', cdxj({ url: 'http://a.test/\r\nWARC-Type: response' })],
  ['with a URL of another kind', cdxj({ url: 'dns:a.test' })],
  ['with an incomplete time', cdxj({}, '2026')],
])('a line %s is skipped', async (_, line) => {
  expect(await read(line + cdxj({}))).toEqual([body])
})

it.each([
  [
    'GNU Wget',
    ' CDX a b a m s k r M V g u',
    `${body.url} 20261127212440 ${body.url} text/html 404 ${HASH} - - 816 w.warc.gz <urn:uuid:25ae>`,
  ],
  [
    'the Internet Archive',
    ' CDX N b a m s k r M S V g',
    `test,a)/b%20c 20261127212440 ${body.url} text/html 200 ${HASH} - - 1000 816 w.warc.gz`,
  ],
  ['tools that separate by tabs', '\tCDX\tb\ta\tk', `20261127212440\t${body.url}\t${HASH}`],
])(
  'the lines of CDX are read as the first line names their columns: %s',
  async (_, header, line) => {
    const revisit = line.replace('text/html', 'warc/revisit')
    const withoutDigest = line.replace(HASH, '-')
    const lines = [header, line, ...(revisit === line ? [] : [revisit]), withoutDigest]
    expect(await read(`${lines.join('\n')}\n`)).toEqual([body])
  },
)

it.each([
  ['a list of visits', '{"url":"http://a.test/"}\n', 'a line of CDXJ or CDX in line 1'],
  ['a damaged line', `${cdxj({})}${cdxj({}).slice(0, 60)}`, 'a line of CDXJ or CDX in line 2'],
  ['a line without a column', ' CDX b a k\n1 2\n', 'a line of CDXJ or CDX in line 2'],
  ['columns without a digest', ' CDX b a\n1 2\n', 'the columns a, b and k in its first line'],
])('%s is refused', async (_, content, expected) => {
  await expect(read(content)).rejects.toThrow(`${path('index')}: expected ${expected}`)
})
