import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { openOutputs } from '../../src/formats/open-outputs.ts'
import type { Delivery } from '../../src/records/visit-attachments.ts'
import { storeSettings } from '../../src/state/resume-settings.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { archiveExchange, withRenderedTree } from '../../src/warc/archive-exchange.ts'
import { keepsTheContract, visitOf, writeVisits } from '../formats/output-contract.ts'
import { ledger } from '../support/ledger.ts'
import { useFolder } from '../support/state-run.ts'
import { answerOf, archivedVisit as visit } from './archived-visit.ts'
import { indexByWarcio, readWarc } from './read-warc.ts'

const path = useFolder()

async function read(file: string) {
  expect(readFileSync(`${file.replace('.warc.gz', '')}.cdxj`, 'utf8')).toBe(
    await indexByWarcio(file),
  )
  const records = await readWarc(file)
  return records.map(({ type, url, payload, field }) => {
    return [type, url, String(payload), field('WARC-Refers-To-Target-URI')]
  })
}

keepsTheContract({ file: 'site.warc.gz', visit, read })
keepsTheContract({ file: 'site.warc', format: 'warc', visit, read })

describe('an archive', () => {
  it('contains a rendered page next to its response, which alone is in the index', async () => {
    const file = path('rendered.warc.gz')
    const sent = visit(1)
    const exchange = withRenderedTree(sent.exchange, Buffer.from('<p>Ü, by script'))
    await writeVisits(file, [{ ...sent, exchange }, visit(2)])
    const [response, , rendered, ...others] = await readWarc(file)
    expect(rendered).toMatchObject({ type: 'conversion', url: 'http://a.test/1?b=1&A=2' })
    expect(String(rendered?.payload)).toBe('<p>Ü, by script')
    expect(rendered?.field('WARC-Refers-To')).toBe(response?.field('WARC-Record-ID'))
    expect(others.map(({ type }) => type)).toEqual(['response', 'request'])
    const index = readFileSync(path('rendered.cdxj'), 'utf8')
    expect(index.match(/^test,a\)/gm)).toHaveLength(2)
  })

  it('contains the files that rendered pages load, once for each URL', async () => {
    const file = path('loaded.warc.gz')
    const [first, second, third] = [visit(1), visit(2), visit(4)]
    const resources = [third.exchange, first.exchange, visit(4).exchange]
    await writeVisits(file, [
      { ...first, resources },
      { ...second, resources },
    ])
    const responses = (await readWarc(file)).filter(({ type }) => type === 'response')
    const urls = [1, 4, 2].map((n) => `http://a.test/${n}?b=1&A=2`)
    expect(responses.map(({ url }) => url)).toEqual(urls)
  })

  it('contains a body once, and refers to it later', async () => {
    const file = path('a.warc.gz')
    await writeVisits(file, [visit(0), visit(1), visit(3)])
    const records = await readWarc(file)
    expect(records.map(({ type }) => type)).toEqual([
      ...['response', 'request', 'response', 'request', 'revisit', 'request'],
    ])
    const [first, , , , revisit, request] = records
    expect(revisit?.field('WARC-Refers-To')).toBe(first?.field('WARC-Record-ID'))
    expect(revisit?.field('WARC-Refers-To-Date')).toBe(first?.field('WARC-Date'))
    expect(revisit?.field('WARC-Payload-Digest')).toBe(first?.field('WARC-Payload-Digest'))
    expect(request?.field('WARC-Concurrent-To')).toBe(revisit?.field('WARC-Record-ID'))
    expect(revisit?.field('WARC-Truncated')).toBe('length')
    expect(revisit?.field('WARC-IP-Address')).toBe('192.0.2.1')
    expect(revisit?.head).toContain('Content-Type: text/html; charset=utf-8\r\n')
  })

  it('refers to the last body of a URL that has not been modified', async () => {
    const file = path('unmodified.warc.gz')
    const exchangeOf = (url: string, body: string, status = 200) =>
      archiveExchange(url, {}, { ...answerOf(body), status })
    const exchanges = [
      exchangeOf('http://a.test/', 'one'),
      exchangeOf('http://a.test/b', 'two'),
      exchangeOf('http://a.test/', 'two'),
      exchangeOf('http://a.test/', '', 304),
      exchangeOf('http://a.test/new', '', 304),
      exchangeOf('http://a.test/b', ''),
      exchangeOf('http://a.test/b', '', 304),
    ]
    await writeVisits(
      file,
      exchanges.map((exchange, n) => ({ ...visitOf(n), exchange })),
    )
    const records = (await readWarc(file)).filter(({ type }) => type !== 'request')
    expect(records.map(({ type }) => type)).toEqual([
      ...['response', 'response', 'revisit', 'revisit', 'response', 'response', 'response'],
    ])
    const [, two, , revisit] = records
    expect(revisit?.field('WARC-Profile')).toBe(
      'http://netpreserve.org/warc/1.1/revisit/server-not-modified',
    )
    expect(revisit?.field('WARC-Refers-To')).toBe(two?.field('WARC-Record-ID'))
    expect(revisit?.field('WARC-Payload-Digest')).toBe(two?.field('WARC-Payload-Digest'))
    expect(revisit?.field('WARC-Truncated')).toBeNull()
    const index = readFileSync(path('unmodified.cdxj'), 'utf8')
    const theirs = await indexByWarcio(file)
    expect(index.split('\n').sort()).toEqual(theirs.split('\n').sort())
  })

  it('omits visits without a response, and never refers to an empty or truncated body', async () => {
    const file = path('b.warc.gz')
    const bodies = [
      ...[answerOf(''), answerOf('')],
      ...[1, 2].map(() => ({ ...answerOf('start'), truncated: true })),
    ]
    const exchanges = bodies.map((body) => archiveExchange('http://a.test/', {}, body))
    const visits = exchanges.map((exchange, n) => ({ ...visitOf(n), exchange }))
    await writeVisits(file, [visitOf(9), ...visits])
    const answers = (await readWarc(file)).filter(({ type }) => type !== 'request')
    expect(answers.map(({ type, field }) => [type, field('WARC-Truncated')])).toEqual([
      ...[1, 2].map(() => ['response', null]),
      ...[1, 2].map(() => ['response', 'length']),
    ])
  })

  it('that is written anew for the same state has nothing of its old content in its index', async () => {
    const file = path('anew.warc.gz')
    const write = async (visits: readonly Delivery[], overwrite: boolean) => {
      const directory = StateDirectory.open(path('state'))
      const input = { seeds: ['http://a.test/'], output: file, overwrite }
      storeSettings(directory, resolveConfig(input), input)
      const { outputs } = await openOutputs(resolveConfig(input), new PassThrough(), directory)
      outputs.visits.open({ drained() {}, closed() {}, failed() {} })
      outputs.visits.write(visits)
      await outputs.visits.finish()
      await outputs.visits.close()
      // As if a later run had another output.
      directory.commit({ ...ledger, positions: {} })
      directory.close()
    }
    await write([visit(0), visit(1)], false)
    await write([visit(3)], true)
    expect(await read(file)).toEqual([
      ['response', 'http://a.test/3?b=1&A=2', 'the same', null],
      ['request', 'http://a.test/3?b=1&A=2', '', null],
    ])
  })
})
