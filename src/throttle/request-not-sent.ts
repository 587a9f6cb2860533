/** The crawl was stopped while a request waited to be sent. */
export class RequestNotSent extends Error {
  override readonly name = 'RequestNotSent'

  constructor() {
    super('the crawl was stopped before the request was sent')
  }
}
