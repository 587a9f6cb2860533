import { DatabaseSync, StatementSync } from 'node:sqlite'
import { MessagePort, parentPort } from 'node:worker_threads'

// Hooks that let a worker die while it processes a page whose path is `/dies/<n>/`: before its n-th step that other
// threads can observe, which is an operation on shared memory, an SQL statement, or a message. With n = 0 it dies
// before the message. If the page takes fewer steps, the worker survives.

const ATOMIC = ['add', 'compareExchange', 'exchange', 'load', 'or', 'store', 'sub'] as const
const DEADLY = /^\/dies\/(\d+)\//

const exit: () => void = () => process.exit()
let stepsLeft = Number.POSITIVE_INFINITY

function step(isLast = false): void {
  if (--stepsLeft > 0) return
  if (stepsLeft < 0 && !isLast) return
  exit()
  // The exit takes effect at the next turn of a loop.
  for (;;);
}

function count<Name extends string>(owner: { [N in Name]: unknown }, ...names: readonly Name[]) {
  for (const name of names) {
    const method = owner[name]
    if (typeof method !== 'function') throw new TypeError(`${name} is no method`)
    Object.defineProperty(owner, name, {
      value(this: unknown, ...values: readonly unknown[]) {
        step()
        return Reflect.apply(method, this, values)
      },
    })
  }
}

count(Atomics, ...ATOMIC)
count(DatabaseSync.prototype, 'exec')
count(StatementSync.prototype, 'run')
// The test terminates only threads that have sent this message.
parentPort?.postMessage('runs')
const { postMessage } = MessagePort.prototype
MessagePort.prototype.postMessage = function (...message: Parameters<typeof postMessage>) {
  step(true)
  Reflect.apply(postMessage, this, message)
  step()
  // The next steps are those of another page.
  stepsLeft = Number.POSITIVE_INFINITY
}

export function onPage({ url }: { readonly url: string }): void {
  const steps = DEADLY.exec(new URL(url).pathname)?.[1]
  stepsLeft = steps === undefined ? Number.POSITIVE_INFINITY : Number(steps)
}
