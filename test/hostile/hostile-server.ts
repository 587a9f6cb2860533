import type { Certificate } from '../support/certificates.ts'
import { type RawServer, startRawServer } from '../support/raw-server.ts'
import type { Behaviour, Misbehave } from './behaviour.ts'
import { BEHAVIOURS } from './behaviours.ts'
import { page } from './send.ts'

/** Number of good pages on a hostile server: `/good/0`, `/good/1`, ... */
export const GOOD_PAGES = 50

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'

/**
 * Starts a server that misbehaves depending on the path. `/` links to every behavior and, in between, to good pages.
 * @param further behaviors of this server only
 */
export function startHostileServer(
  further: readonly Behaviour[] = [],
  certificate?: Certificate,
): Promise<RawServer> {
  const answers = new Map([...BEHAVIOURS, ...further].map(([path, answer]) => [path, answer]))
  const index: Misbehave = (socket) => void socket.write(page(indexOf([...answers.keys()])))
  answers.set('', index)
  answers.set('good', (socket) => void socket.write(page('<a href="/">all is well</a>')))
  return startRawServer((socket, head) => {
    const path = head.split(' ', 2)[1] ?? ''
    const answer = answers.get(path.split('/', 2)[1] ?? '')
    if (answer === undefined) socket.write(NOT_FOUND)
    else answer(socket, path)
  }, certificate)
}

function indexOf(names: readonly string[]): string {
  const paths = [...names, ...Array.from({ length: GOOD_PAGES }, (_, number) => `good/${number}`)]
  // Good pages are first, last and in between, for any order of fetching.
  const mixed = paths.map((path, index) => [(index * 37) % paths.length, path] as const)
  return mixed
    .sort(([first], [second]) => first - second)
    .map(([, path]) => `<a href="/${path}">${path}</a>\n`)
    .join('')
}
