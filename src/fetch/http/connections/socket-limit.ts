import { OutOfFiles } from '../../../runtime/open-files.ts'
import type { Connector } from './undici.ts'

/** Bounds how many connections are open at a time, all connectors together that are bounded by it. */
export class SocketLimit {
  readonly #most: number
  #open = 0

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** Returns a connector that fails with OutOfFiles where one more would be too many. */
  of(connect: Connector): Connector {
    return (target, callback) => {
      if (this.#open >= this.#most) {
        callback(new OutOfFiles(`${this.#most} connections are open`), null)
        return
      }
      this.#open++
      connect(target, (...result) => {
        const [error, socket] = result
        if (error === null && !socket.destroyed) socket.once('close', () => this.#open--)
        else this.#open--
        callback(...result)
      })
    }
  }
}
