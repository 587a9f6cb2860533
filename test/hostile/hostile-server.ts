import type { Certificate } from '../support/certificates.ts'
import { type RawServer, startRawServer } from '../support/raw-server.ts'
import type { Behaviour, Misbehave } from './behaviour.ts'
import { BEHAVIOURS } from './behaviours.ts'
import { page } from './send.ts'

/** Pages on a hostile server that are as they should be: `/good/0`, `/good/1`, ... */
export const GOOD_PAGES = 50

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'

/**
 * A server that misbehaves by path; `/` links to every behaviour and, in between, to good pages.
 * @param further behaviours of this server alone
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
  // The good ones first and last and in between, whatever the order that they are fetched in.
  const mixed = paths.map((path, index) => [(index * 37) % paths.length, path] as const)
  return mixed
    .sort(([first], [second]) => first - second)
    .map(([, path]) => `<a href="/${path}">${path}</a>\n`)
    .join('')
}
