import { serveRaw } from '../../../support/serve.ts'
import type { RecordedResponse } from './recorded-response.ts'

/** A response with a body, and further lines of its header. */
export const answer = (body: string, lines = '') =>
  `HTTP/1.1 200 OK\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body}`

/** A server that answers each request with its path, unless that is `/silent`. */
export function servePaths() {
  return serveRaw((socket, head) => {
    const path = pathOf(head)
    if (path !== '/silent') socket.write(answer(path))
  })
}

/** The path that a request asks for. */
export function pathOf(head: string): string {
  return head.split(' ')[1] ?? ''
}

/** What responses have come to: their bodies, or the errors that they failed with. */
export const failuresOf = (responses: readonly RecordedResponse[]) =>
  Promise.all(responses.map(({ whole }) => whole.catch((error: unknown) => error)))
