/** The error of a request that waited to be sent when the crawl was stopped. */
export class RequestNotSent extends Error {
  override readonly name = 'RequestNotSent'

  constructor() {
    super('the crawl was stopped before the request was sent')
  }
}
