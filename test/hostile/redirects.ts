import type { Behaviour, Misbehave } from './behaviour.ts'
import { bytes, flood, redirect } from './send.ts'

const NOWHERE = { status: 302, error: 'invalid-redirect' } as const
const ENDLESS = 'HTTP/1.1 302 Found\r\nLocation: /good/0\r\n\r\n'

const to = (location: string) => bytes(redirect(location))

/** Each response leads to a new URL. */
const further: Misbehave = (socket, path) => {
  const [, name = '', step = '0'] = path.split('/')
  socket.write(redirect(`/${name}/${Number(step) + 1}`))
}

/** Redirects that lead nowhere, in circles, or on forever. */
export const redirects: readonly Behaviour[] = [
  ['redirects-to-itself', to('/redirects-to-itself'), { status: 302 }],
  ['redirects-to-a-file', to('file:///etc/passwd'), NOWHERE],
  ['redirects-to-a-script', to('javascript:alert(1)'), NOWHERE],
  ['redirects-to-data', to('data:text/html,<a href=/x>'), NOWHERE],
  ['redirects-to-no-url', to('http://[::1:80/'), NOWHERE],
  ['redirects-to-a-longer-url', to(`/${'x'.repeat(9_000)}`), NOWHERE],
  ['redirects-to-nul', to('/a\0b'), { status: 302 }],
  ['redirects-to-escapes', to('javascript:\x9b2J'), NOWHERE],
  ['redirects-without-location', bytes('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'), NOWHERE],
  [
    'redirects-with-an-endless-body',
    flood(ENDLESS, 'x'.repeat(2 ** 20)),
    { status: 302, truncated: true },
  ],
  ['redirects-for-ever', further, { status: 302 }],
]
