import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { leaveEarly } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const diff = (...args: string[]) => callCrawl(['diff', path('a.jsonl'), path('b.jsonl'), ...args])
const on = (name: string) => `https://a.example/${name}`

type Line = Readonly<Record<string, unknown>>

async function write(name: string, visits: readonly Line[]): Promise<void> {
  const whole = { depth: 1, hop: 'link', attempts: 1 }
  const lines = visits.map((visit) => `${JSON.stringify({ ...whole, ms: 5, ...visit })}\n`)
  await writeFile(path(name), lines.join(''))
}

async function writeBoth(): Promise<void> {
  const page = { status: 200, contentType: 'text/html', bytes: 10, title: 'Old', links: 2 }
  await write('a.jsonl', [
    { url: on('same'), ...page, ms: 1 },
    { url: on('gone'), ...page },
    { url: on('new-title'), ...page },
    { url: on('broken'), ...page },
    { url: on('moved'), status: 301, redirectsTo: on('old') },
  ])
  await write('b.jsonl', [
    { url: on('moved'), status: 301, redirectsTo: on('new') },
    { url: on('broken'), error: { code: 'timeout', message: 'too slow' } },
    { url: on('added'), ...page, title: '\u001b[31mred\u202e\u0085' },
    { url: on('new-title'), ...page, title: 'New', bytes: 1234 },
    { url: on('same'), ...page, ms: 900, depth: 7 },
  ])
}

describe('crawl diff', () => {
  it('compares extracted fields', async () => {
    const [page, other] = [{ url: on('shop'), status: 200 }, { url: on('same') }]
    const same = { ...other, data: { a: 1, b: [2] } }
    await write('a.jsonl', [{ ...page, data: { price: '13.50', name: 'x', all: ['1'] } }, same])
    await write('b.jsonl', [
      { ...page, data: { name: 'x', price: '14.50', all: ['1', '2'] } },
      { ...other, data: { b: [2], a: 1 } },
    ])
    const { stdout } = await diff('--json')
    expect(JSON.parse(stdout)).toEqual({
      ...{ kind: 'changed', url: on('shop') },
      before: { data: { price: '13.50', all: ['1'] } },
      after: { data: { price: '14.50', all: ['1', '2'] } },
    })
    const text = (await diff()).stdout
    expect(text).toContain('price    “13.50” → “14.50”')
    expect(text).toContain('all      ["1"] → ["1","2"]')
  })

  it('compares canonical URLs and robots directives, even if the content is the same', async () => {
    const page = { status: 200, bytes: 9, hash: 'a' }
    await write('a.jsonl', [
      { url: on('hidden'), ...page },
      { url: on('moved'), ...page, canonical: on('moved') },
      { url: on('same'), ...page, noindex: true, canonical: on('other') },
      { url: on('unmodified'), ...page, noindex: true, canonical: on('other') },
    ])
    await write('b.jsonl', [
      { url: on('hidden'), ...page, noindex: true },
      { url: on('moved'), ...page, canonical: on(`a-long-name-for-the-same-page`) },
      { url: on('same'), ...page, noindex: true, canonical: on('other') },
      { url: on('unmodified'), status: 304 },
    ])
    const { stdout } = await diff('--json')
    const [hidden, moved, ...others] = stdout.trim().split('\n')
    expect(others).toEqual([])
    expect(JSON.parse(hidden ?? '')).toEqual({
      ...{ kind: 'changed', url: on('hidden'), before: {}, after: { noindex: true } },
    })
    expect(JSON.parse(moved ?? '')).toEqual({
      ...{ kind: 'changed', url: on('moved'), before: { canonical: on('moved') } },
      after: { canonical: on('a-long-name-for-the-same-page') },
    })
    const text = (await diff()).stdout
    expect(text).toContain('    noindex  no → yes\n')
    expect(text).toContain(
      `    canonical ${on('moved')} → ${on('a-long-name-for-the-same-page')}\n`,
    )
  })

  it('reads one of the two crawls from stdin for -, and refuses two of them', async () => {
    await write('a.jsonl', [{ url: on('page'), status: 200 }])
    const stdin = `${JSON.stringify({ url: on('page'), status: 404 })}\n`
    const diffWith = (...args: string[]) => callCrawl(['diff', '--json', ...args], stdin)
    const kindAnd = (before: number, after: number) =>
      expect.stringContaining(`"before":{"status":${before}},"after":{"status":${after}}}`)
    expect((await diffWith(path('a.jsonl'), '-')).stdout).toEqual(kindAnd(200, 404))
    expect((await diffWith('-', path('a.jsonl'))).stdout).toEqual(kindAnd(404, 200))
    expect(await diffWith('-', '-')).toMatchObject({
      ...{ code: 2, stderr: 'crawl: <after>: expected a file, since stdin is already <before>\n' },
    })
    expect(await callCrawl(['diff', '-', path('a.jsonl')], 'x\n')).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(/^crawl: stdin: line 1: expected a visit/) },
    })
  })

  it('prints added, gone and changed URLs as JSON lines, ordered by URL', async () => {
    await writeBoth()
    const { stdout, code, stderr } = await diff('--json')
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 page was compared by size')])
    const page = { status: 200, contentType: 'text/html', bytes: 10, title: 'Old', links: 2 }
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { kind: 'added', url: on('added'), after: { ...page, title: '\u001b[31mred\u202e\u0085' } },
      { kind: 'status', url: on('broken'), before: page, after: { error: 'timeout' } },
      { kind: 'gone', url: on('gone'), before: page },
      {
        ...{ kind: 'changed', url: on('moved') },
        ...{ before: { redirectsTo: on('old') }, after: { redirectsTo: on('new') } },
      },
      {
        ...{ kind: 'changed', url: on('new-title') },
        ...{ before: { title: 'Old', bytes: 10 }, after: { title: 'New', bytes: 1234 } },
      },
    ])
  })

  it('prints counts, then groups, without control characters of servers', async () => {
    await writeBoth()
    const { stdout } = await diff()
    expect(stdout.split('\n')).toEqual([
      ...['5 URLs, then 5', '1 added, 1 gone, 1 status changed, 2 changed', ''],
      ...['Status changed (1)', `  ${on('broken')}`, '    200 → timeout'],
      ...['    type     text/html → none', '    bytes    10 → none', '    title    “Old” → none'],
      ...['    links    2 → none', '', 'Gone (1)', `  ${on('gone')}`],
      ...['    200  text/html  “Old”', '', 'Added (1)', `  ${on('added')}`],
      ...[String.raw`    200  text/html  “\u001b[31mred\u202e\u0085”`, '', 'Changed (2)'],
      ...[`  ${on('moved')}`, `    redirect ${on('old')} → ${on('new')}`, `  ${on('new-title')}`],
      ...['    bytes    10 → 1,234', '    title    “Old” → “New”', ''],
      '1 page was compared by size, title and number of links only: crawl both times with --hash to find every change',
      '',
    ])
  })

  it('shows where long titles and texts differ', async () => {
    const start = 'The long name of a site with many pages: '
    const visitOf = (end: string) =>
      `${JSON.stringify({ url: on(''), status: 200, title: start + end, data: { text: start + end } })}\n`
    await writeFile(path('before.jsonl'), visitOf('one'))
    await writeFile(path('after.jsonl'), visitOf('two'))
    const { stdout } = await callCrawl(['diff', path('before.jsonl'), path('after.jsonl')])
    expect(stdout).toContain(`
    title    “…many pages: one” → “…many pages: two”
    text     “…many pages: one” → “…many pages: two”
`)
  })

  it('detects a change of the same size by the hash, if both crawls have hashes', async () => {
    const [one, other] = [
      { url: on('1'), status: 200, bytes: 5, hash: 'a'.repeat(64) },
      { url: on('2'), status: 200, bytes: 5 },
    ]
    await write('a.jsonl', [one, { ...other, hash: 'b' }])
    await write('b.jsonl', [{ ...one, hash: 'c'.repeat(64) }, other])
    const { stdout, stderr } = await diff('--json')
    expect(JSON.parse(stdout)).toEqual({
      ...{ kind: 'changed', url: on('1') },
      ...{ before: { hash: one.hash }, after: { hash: 'c'.repeat(64) } },
    })
    expect(stderr).toContain('1 page was compared by size')
  })

  it('reports URLs that may not be gone, since an unchanged page links to them', async () => {
    const [home, index] = [
      { url: on(''), status: 200, bytes: 9, links: 2, hash: 'a' },
      { url: on('index'), status: 200, bytes: 1, via: on('') },
    ]
    const deep = { url: on('deep'), status: 200, via: on('index') }
    const cut = { url: on('cut'), status: 200, via: on('changed') }
    const changed = { url: on('changed'), status: 200, bytes: 3, via: on('') }
    await write('a.jsonl', [home, index, deep, cut, changed])
    await write('b.jsonl', [home, { ...changed, bytes: 4 }])
    const { stdout } = await diff('--json')
    const gone = stdout.split('\n').filter((line) => line.includes('"gone"'))
    expect(gone.map((line) => JSON.parse(line).linkedFrom)).toEqual([undefined, on(''), on('')])
    const text = (await diff()).stdout
    expect(text).toContain(`still linked from ${on('')}`)
    expect(text).toContain('Gone URLs that may still exist: 2 of 3,')
  })

  it('explains how to compare two sites, if no URL is in both crawls', async () => {
    await write('a.jsonl', [{ url: on('page'), status: 200 }])
    await write('b.jsonl', [{ url: 'https://staging.example/page', status: 200 }])
    const hint = /^no URL is in both crawls; to compare two sites, .* in its file/m
    expect((await diff()).stdout).toMatch(hint)
    expect((await diff('--json')).stderr).toMatch(/no URL is in both crawls/)
    await write('b.jsonl', [])
    expect((await diff()).stdout).not.toMatch(/no URL is in both/)
  })

  it("doesn't call a page unchanged for its size alone, without equal hashes", async () => {
    const home = { url: on(''), status: 200, bytes: 9, links: 2 }
    const below = { url: on('below'), status: 200, via: on('') }
    const hashes = [
      [undefined, undefined],
      ['a', undefined],
      ['a', 'b'],
    ]
    for (const [before, after] of hashes) {
      await write('a.jsonl', [{ ...home, hash: before }, below])
      await write('b.jsonl', [{ ...home, hash: after }])
      const { stdout } = await diff()
      expect(stdout).toContain(`Gone (1)\n  ${on('below')}\n    200\n`)
      expect(stdout).not.toMatch(/still/)
    }
  })

  it('compares directories of --state, with each other and with files', async () => {
    let price = '10'
    const site = await serveSite({
      '/': (_, response) => response.setHeader('content-type', 'text/html').end(`<p>${price}`),
    })
    const crawled = (state: string, output: string) =>
      callCrawl([site.url, '-q', '--hash', '--state', path(state), '-o', path(output)])
    await crawled('one', 'a.jsonl')
    price = '12'
    await crawled('two', 'b.jsonl')
    for (const [a, b] of [
      ['one', 'two'],
      ['one', 'b.jsonl'],
      ['a.jsonl', 'b.jsonl'],
    ]) {
      const { stdout } = await callCrawl(['diff', path(a ?? ''), path(b ?? '')])
      expect(stdout).toMatch(/^1 URL, then 1\n0 added, 0 gone, 0 status changed, 1 changed\n/)
      expect(stdout).toMatch(/ {4}hash {5}\w{11}… → \w{11}…\n(?:$|\n\w+ and links were not)/)
    }
    const same = await callCrawl(['diff', path('one'), path('a.jsonl')])
    expect(same.stdout).toBe(
      `1 URL, then 1\n0 added, 0 gone, 0 status changed, 0 changed\n\ntype and links were not compared, since ${path('one')} has none\n`,
    )
  })

  it('compares only the fields that both crawls have, and lists the others', async () => {
    const site = await serveSite({
      '/': '<title>Home</title><a href=/moved>1</a><a href=/none>2</a>',
      '/moved': (_, response) => response.writeHead(302, { location: '/none' }).end(),
    })
    const crawled = (output: string, ...args: string[]) =>
      callCrawl([site.url, '-q', '--overwrite', '-o', path(output), ...args])
    const extract = ['--extract', 'h=title', '--extract', 'a=a']
    await crawled('whole.jsonl', ...extract, '--state', path('state'))
    await crawled('some.jsonl', ...extract, '--fields', 'url,status,title,data.h')
    const { stdout } = await callCrawl(['state', path('state'), '--export', 'visits'])
    await writeFile(path('export.jsonl'), stdout)
    const lacks = (names: string, file: string) =>
      `${names} were not compared, since ${path(file)} has none\n`
    for (const [one, other, ...remarks] of [
      ['whole.jsonl', 'some.jsonl', lacks('redirect, type, bytes, links and data.a', 'some.jsonl')],
      ['whole.jsonl', 'state', lacks('redirect, type, title, links, data.a and data.h', 'state')],
      [
        ...['some.jsonl', 'export.jsonl', lacks('bytes', 'some.jsonl').replace('were', 'was')],
        lacks('title and data.h', 'export.jsonl'),
      ],
      ['export.jsonl', 'state'],
    ]) {
      const there = await callCrawl(['diff', path(one ?? ''), path(other ?? ''), '--exit-code'])
      expect(there.code).toBe(0)
      expect(there.stdout).toContain('0 added, 0 gone, 0 status changed, 0 changed\n')
      for (const remark of remarks) expect(there.stdout).toContain(`\n${remark}`)
      const back = await callCrawl(['diff', path(other ?? ''), path(one ?? ''), '--json'])
      expect(back).toMatchObject({ code: 0, stdout: '' })
      for (const remark of remarks) expect(back.stderr).toContain(`crawl: ${remark}`)
      const said = [there.stdout, back.stderr].map((text) => text.match(/not compared/g)?.length)
      expect(said).toEqual(
        remarks.length === 0 ? [undefined, undefined] : [remarks.length, remarks.length],
      )
    }
    const sizes = await callCrawl(['diff', path('whole.jsonl'), path('state')])
    expect(sizes.stdout).toContain('1 page was compared by size only: ')
    const titles = await callCrawl(['diff', path('whole.jsonl'), path('some.jsonl')])
    expect(titles.stdout).toContain('1 page was compared by title only: ')
  })

  it('finds no difference between a crawl in a --state directory and its file, if some URLs have no body', async () => {
    const other = await serveSite({ '/': 'Home' })
    const site = await serveSite({
      '/': `<a href=/broken>1</a><a href=${other.url}>2</a>`,
      '/broken': (_, response) => response.setHeader('content-encoding', 'gzip').end('no gzip'),
    })
    const outputs = ['-o', path('visits.jsonl'), '--state', path('state')]
    await callCrawl([site.url, '-q', '--external', '--allow-private', ...outputs])
    const same = await callCrawl(['diff', path('state'), path('visits.jsonl')])
    expect(same.stdout).toMatch(/^3 URLs, then 3\n0 added, 0 gone, 0 status changed, 0 changed\n/)
  })

  it('reports a field that whole records lack, even if none of them has it', async () => {
    const page = { url: on('1'), status: 200 }
    await write('a.jsonl', [{ ...page, canonical: on('x'), data: { price: '1' } }])
    await write('b.jsonl', [page])
    expect((await diff()).stdout).toMatch(/canonical .+ → none\n {4}price {4}“1” → none\n/)
    const lines = [page, { url: on('2'), status: 404 }].map((line) => JSON.stringify(line))
    await writeFile(path('b.jsonl'), lines.join('\n'))
    const { stdout } = await diff()
    expect(stdout).toContain('1 added, 0 gone, 0 status changed, 0 changed\n')
    expect(stdout).toContain('canonical and data.price were not compared, since ')
  })

  it('compares errors with a file that has no error field, if the status tells them apart', async () => {
    const error = { code: 'timeout', message: 'too slow' }
    await write('a.jsonl', [
      { url: on('1'), error },
      { url: on('2'), status: 200, error },
    ])
    const lines = ['1', '2'].map((name) => JSON.stringify({ url: on(name), status: 200 }))
    await writeFile(path('b.jsonl'), lines.join('\n'))
    const { stdout } = await diff()
    expect(stdout).toContain('0 added, 0 gone, 1 status changed, 0 changed\n')
    expect(stdout).toContain('    timeout → 200\n')
    expect(stdout).not.toContain('not compared')
  })

  it('exits with 9 with --exit-code if something differs, and with 0 otherwise', async () => {
    await writeBoth()
    expect(await diff('--exit-code')).toMatchObject({ code: 9, stderr: '' })
    expect(await diff()).toMatchObject({ code: 0 })
    await write('b.jsonl', [{ url: on('1'), status: 200, ms: 3 }])
    await write('a.jsonl', [{ url: on('1'), status: 200, ms: 4, worker: 2 }])
    expect(await diff('--exit-code', '--json')).toMatchObject({ code: 0, stdout: '' })
    const nothing = '1 URL, then 1\n0 added, 0 gone, 0 status changed, 0 changed\n'
    const { code, stdout } = await diff('--exit-code')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${nothing}\n1 page was compared by size.+\n$`))
  })

  it('uses the last record of a URL, and ignores a truncated line at the end', async () => {
    await write('a.jsonl', [{ url: on('1'), status: 200 }])
    const lines = [500, 200].map((status) => JSON.stringify({ url: on('1'), status }))
    await writeFile(path('b.jsonl'), `${lines.join('\n')}\n{"url":"https://a.exa`)
    expect(await diff('--json')).toMatchObject({ code: 0, stdout: '' })
  })

  it("treats 304 as the other crawl's result, unless that was an error", async () => {
    await write('a.jsonl', [
      ...[
        { url: on('1'), status: 200, title: 'One' },
        { url: on('2'), status: 304 },
      ],
      ...[
        { url: on('3'), status: 304 },
        { url: on('4'), status: 304 },
      ],
    ])
    await write('b.jsonl', [
      ...[
        { url: on('1'), status: 304 },
        { url: on('2'), status: 200, title: 'Two' },
      ],
      ...[
        { url: on('3'), status: 404 },
        { url: on('4'), error: { code: 'timeout' } },
      ],
    ])
    const lines = (await diff('--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      { kind: 'status', url: on('3'), before: { status: 304 }, after: { status: 404 } },
      { kind: 'status', url: on('4'), before: { status: 304 }, after: { error: 'timeout' } },
    ])
  })

  it('compares the last content of a URL if later visits got 304', async () => {
    const page = { url: on('1'), status: 200, title: 'Old' }
    const unmodified = { url: on('1'), status: 304 }
    await write('a.jsonl', [page, unmodified, unmodified])
    await write('b.jsonl', [page, unmodified, { ...page, title: 'New' }, unmodified])
    expect(JSON.parse((await diff('--json')).stdout)).toEqual({
      ...{ kind: 'changed', url: on('1') },
      ...{ before: { title: 'Old' }, after: { title: 'New' } },
    })
  })

  it.each([
    ['no\u009b JSON', 'line 2: expected a visit, a JSON object with a `url`, got "no\\u009b JSON"'],
    ['[1]', 'line 2: expected a visit, a JSON object with a `url`, got "[1]"'],
    ['{"url":1}', 'line 2: expected a visit, a JSON object with a `url`, got "{\\"url\\":1}"'],
    [
      '{"url":"http://a/","bytes":"1"}',
      'line 2: expected a number as `bytes`, got "{\\"url\\":\\"http://a/\\",\\"bytes\\":\\"1\\"}"',
    ],
    ['x'.repeat(2 ** 24 + 2 ** 18), 'expected lines of at most 16 MiB'],
  ])('refuses a line that is not a visit, case %#', async (line, problem) => {
    await write('a.jsonl', [{ url: on('1') }])
    await writeFile(path('b.jsonl'), `{"url":"http://a/"}\n${line}\n`)
    const stderr = `crawl: ${path('b.jsonl')}: ${problem}\n`
    expect(await diff()).toEqual(expect.objectContaining({ code: 2, stdout: '', stderr }))
  })

  it("refuses a file that doesn't exist", async () => {
    const { code, stderr } = await diff()
    expect(code).toBe(2)
    expect(stderr).toContain(
      `crawl: ${path('a.jsonl')}: expected a readable file of visits, got no file\n`,
    )
  })

  it('exits quietly when its reader leaves', async () => {
    await write('a.jsonl', [])
    const added = Array.from({ length: 10_000 }, (_, at) => ({ url: on(String(at)), status: 200 }))
    await write('b.jsonl', added)
    const command = ['diff', path('a.jsonl'), path('b.jsonl'), '--json']
    expect(await leaveEarly(command)).toEqual({ code: 0, stderr: '' })
  })
})
