import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'
import { readWarc } from '../warc/read-warc.ts'

const path = useFolder()

function file(contentType: string, body: string) {
  return (
    _: unknown,
    response: { setHeader(name: string, value: string): void; end(body: string): void },
  ) => {
    response.setHeader('content-type', contentType)
    response.end(body)
  }
}

it('an archive has what rendered pages load, once, and saved bodies are those of the browser', async () => {
  const page = '<head><link rel=stylesheet href=/s.css></head><body><script src=/menu.js></script>'
  const site = await serveSite({
    ...{ '/': `${page}<h1>Home</h1>`, '/b': `${page}<h1>B</h1>` },
    '/s.css': file(
      'text/css',
      '@font-face { font-family: f; src: url(f.woff2) } body { font-family: f }',
    ),
    '/menu.js': file(
      'text/javascript',
      `document.body.insertAdjacentHTML('beforeend', '<a href=/b>menu</a><img src=/i.png>'); fetch('/data.json')`,
    ),
    ...{
      '/data.json': file('application/json', '{"a":1}'),
      '/f.woff2': file('font/woff2', 'no font'),
    },
    ...{ '/i.png': file('image/png', 'no image'), '/robots.txt': '' },
  })
  const outputs = ['-o', path('site.warc.gz'), '--save-bodies', path('saved')]
  const run = await callCrawl([site.url, '-q', '--render', 'always', ...outputs])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const records = await readWarc(path('site.warc.gz'))
  const names = (type: string) =>
    records.filter((record) => record.type === type).map(({ url }) => url?.slice(site.url.length))
  const loaded = ['/data.json', '/f.woff2', '/i.png', '/menu.js', '/s.css']
  expect(names('response').toSorted()).toEqual(['/', '/b', ...loaded])
  expect(names('request').toSorted()).toEqual(['/', '/b', ...loaded])
  expect(names('conversion').toSorted()).toEqual(['/', '/b'])
  const asked = site.requests.map(({ url }) => url).toSorted()
  expect(asked).toEqual(['/', '/b', ...loaded, '/robots.txt'].toSorted())

  const folder = path('saved', new URL(site.url).host.replace(':', '+'))
  const saved = await readFile(`${folder}/index.html`, 'utf8')
  expect(saved).toContain('<a href="b.html">menu</a>')
})
