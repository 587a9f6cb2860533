import { serveRaw } from '../../../support/serve.ts'
import type { RecordedResponse } from './recorded-response.ts'

/** Returns a response with a body, and further header lines. */
export const answer = (body: string, lines = '') =>
  `HTTP/1.1 200 OK\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body}`

/** Starts a server that responds to each request with its path, except for `/silent`. */
export function servePaths() {
  return serveRaw((socket, head) => {
    const path = pathOf(head)
    if (path !== '/silent') socket.write(answer(path))
  })
}

/** Returns the path of a request. */
export function pathOf(head: string): string {
  return head.split(' ')[1] ?? ''
}

/** Returns the bodies of responses, or the errors that they failed with. */
export const failuresOf = (responses: readonly RecordedResponse[]) =>
  Promise.all(responses.map(({ whole }) => whole.catch((error: unknown) => error)))
