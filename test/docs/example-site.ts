import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startSite } from '../support/crawl-site.ts'
import type { SiteServer } from '../support/site-server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const FORM = '<form method=post><input name=user><input name=password type=password></form>'

function page(title: string, ...hrefs: readonly string[]): string {
  const links = hrefs.map((href) => `<a href="${href}">${href}</a>`)
  return `<title>${title}</title><link rel=stylesheet href=/style.css><main><h1>${title}</h1>${links.join('')}</main>`
}

const file = (type: string, body: string): Answer => {
  return (_, response) => void response.writeHead(200, { 'content-type': type }).end(body)
}

const redirect = (location: string): Answer => {
  return (_, response) => void response.writeHead(301, { location }).end()
}

const logIn: Answer = async (request, response) => {
  const fields = new URLSearchParams(await text(request))
  const isRight = fields.get('password') === 'secret'
  const session = { location: '/', 'set-cookie': 'session=orb; Path=/' }
  if (isRight) response.writeHead(303, session).end()
  else response.writeHead(200, HTML).end(FORM)
}

const showAccount: Answer = ({ headers }, response) => {
  const isMember = headers.cookie?.includes('session=orb')
  if (isMember) response.writeHead(200, HTML).end('<title>Account</title>')
  else response.writeHead(302, { location: '/login' }).end()
}

/** Serves a site with an example for each command in the docs: 7 pages, one of them missing. */
export function serveExampleSite(): Promise<SiteServer> {
  return startSite({
    '/': `${page('Orb webs', '/species/', '/webs/', '/lost-web.html')}<img src=/images/web.gif>`,
    '/robots.txt': file('text/plain', 'User-agent: *\nDisallow: /burrow/'),
    '/webs/': page('How a web is built', '/', '/species/', '/burrow/'),
    '/species/': page('Who builds it', 'araneus.html', 'argiope.html', 'garden-spider'),
    '/species/araneus.html': page('The garden spider', '/'),
    '/species/argiope.html': page('The wasp spider', '/', '/webs/'),
    '/species/garden-spider': redirect('araneus.html'),
    ...{ '/login': logIn, '/account': showAccount },
    '/style.css': file('text/css', 'h1 { color: gray }'),
    '/images/web.gif': file('image/gif', 'GIF89a'),
  })
}
