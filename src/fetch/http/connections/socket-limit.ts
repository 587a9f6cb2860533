import { OutOfFiles } from '../../../runtime/out-of-files.ts'
import type { Connector } from './connector.ts'

/** Limits the number of open connections of all connectors that it wraps, taken together. */
export class SocketLimit {
  readonly #most: number
  #open = 0

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** Returns a connector that fails with OutOfFiles at the limit. */
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
