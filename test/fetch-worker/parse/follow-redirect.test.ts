import { describe, expect, it } from 'vitest'
import { serve } from '../../support/serve.ts'
import { html, serveBytes, to, visitUrl } from '../visit-url.ts'

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('of status %i leads to its target', async (status) => {
    const { url } = await serve(
      (_, response) => void response.writeHead(status, { location: '../b?c#d' }).end(),
    )
    const { outcome, record } = await visitUrl(`${url}/a/`)
    expect(outcome).toMatchObject({ type: 'visited', status, bytes: 0, ...to(`${url}/b?c`) })
    expect(record).toMatchObject({ status, redirectsTo: `${url}/b?c`, discovered: 1 })
  })

  it.each([300, 304, 305, 306])('is not followed with status %i', async (status) => {
    const { url } = await serve(
      (_, response) => void response.writeHead(status, { location: '/b' }).end(),
    )
    const { outcome, record } = await visitUrl(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status })
    expect(outcome).toMatchObject({ sameDepth: [] })
    expect(record).not.toHaveProperty('redirectsTo')
  })

  it('without a Location is an error', async () => {
    const { url } = await serve((_, response) => void response.writeHead(302, html).end('where?'))
    const { outcome, record } = await visitUrl(`${url}/`)
    expect(outcome).toMatchObject({ type: 'visited', status: 302, error: 'invalid-redirect' })
    const message = 'expected a Location header, got none'
    expect(record).toMatchObject({ status: 302, error: { code: 'invalid-redirect', message } })
    expect(record).not.toHaveProperty('redirectsTo')
  })

  it.each(['ftp://127.0.0.1/', 'mailto:a@b', 'http://', 'javascript:alert(1)', 'http://a b/'])(
    'to %s is an error',
    async (location) => {
      const { url } = await serve((_, response) => void response.writeHead(301, { location }).end())
      const { outcome, record } = await visitUrl(`${url}/`)
      expect(outcome).toMatchObject({ type: 'visited', status: 301, error: 'invalid-redirect' })
      expect(record).toMatchObject({
        status: 301,
        error: {
          code: 'invalid-redirect',
          message: `expected an http or https URL, got ${JSON.stringify(location)}`,
        },
      })
    },
  )

  it('to a URL that is too long is an error that says so', async () => {
    const location = `/${'a'.repeat(8_000)}`
    const { url } = await serve((_, response) => void response.writeHead(301, { location }).end())
    const { error } = (await visitUrl(`${url}/`)).record ?? {}
    expect(error?.message).toMatch(/^expected an http or https URL of at most 8000 characters, got/)
  })

  it('reads a Location in UTF-8, as servers send it', async () => {
    const { url } = await serveBytes(
      'HTTP/1.1 301 Moved\r\nLocation: /épeire\r\nContent-Length: 0\r\n\r\n',
    )
    expect((await visitUrl(`${url}/`)).outcome).toMatchObject(to(`${url}/%C3%A9peire`))
  })

  it('keeps the bytes of a Location in another encoding', async () => {
    const head = 'HTTP/1.1 301 Moved\r\nLocation: /\xd6\xd0?\xe9\r\nContent-Length: 0\r\n\r\n'
    const { url } = await serveBytes(Buffer.from(head, 'latin1'))
    expect((await visitUrl(`${url}/`)).outcome).toMatchObject(to(`${url}/%D6%D0?%E9`))
  })

  it('may lead to a host name in UTF-8', async () => {
    const { url } = await serveBytes(
      'HTTP/1.1 301 Moved\r\nLocation: http://épeire.test/é\r\nContent-Length: 0\r\n\r\n',
    )
    const { record } = await visitUrl(`${url}/`)
    expect(record).toMatchObject({ redirectsTo: 'http://xn--peire-9ra.test/%C3%A9' })
  })

  it('is followed even if its body breaks off', async () => {
    const { url } = await serveBytes(
      'HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 9\r\n\r\n',
    )
    expect((await visitUrl(`${url}/`)).outcome).toMatchObject({ status: 301, ...to(`${url}/b`) })
  })

  it("is followed even if its body can't be decoded", async () => {
    const { url } = await serve(
      (_, response) =>
        void response
          .writeHead(301, { location: '/b', 'content-encoding': 'compress' })
          .end('zbirq'),
    )
    expect((await visitUrl(`${url}/`)).outcome).toMatchObject({ status: 301, ...to(`${url}/b`) })
  })

  it('out of the scope is reported separately', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(301, { location: 'http://else.test/' }).end(),
    )
    const { outcome, record } = await visitUrl(`${url}/`)
    expect(outcome).toMatchObject({ leaves: 'http://else.test/' })
    expect(outcome).toMatchObject({ sameDepth: [] })
    expect(record).toMatchObject({ redirectsTo: 'http://else.test/' })
  })

  it('is an error when it is the 21st in a row', async () => {
    const { url } = await serve(
      (_, response) => void response.writeHead(301, { location: '/b' }).end(),
    )
    expect((await visitUrl(`${url}/`, { redirects: 19 })).outcome).toMatchObject(to(`${url}/b`))
    const { outcome, record } = await visitUrl(`${url}/`, { redirects: 20 })
    expect(outcome).toMatchObject({ type: 'visited', status: 301, error: 'too-many-redirects' })
    expect(outcome).toMatchObject({ sameDepth: [] })
    expect(record).toMatchObject({ error: { code: 'too-many-redirects' }, redirectsTo: `${url}/b` })
  })
})
