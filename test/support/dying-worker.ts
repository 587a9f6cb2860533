import { DatabaseSync, StatementSync } from 'node:sqlite'
import { MessagePort, parentPort } from 'node:worker_threads'

// Hooks that let a worker die amid a page whose path is `/dies/<n>/`: before the n-th step that others can see
// of what it does with the page, which is an operation on shared memory, a statement of SQLite, or a message;
// with 0 for n, before the message. Where it takes fewer steps, it lives on.

const ATOMIC = ['add', 'compareExchange', 'exchange', 'load', 'or', 'store', 'sub'] as const
const DEADLY = /^\/dies\/(\d+)\//

const exit: () => void = () => process.exit()
let stepsLeft = Number.POSITIVE_INFINITY

function step(isLast = false): void {
  if (--stepsLeft > 0) return
  if (stepsLeft < 0 && !isLast) return
  exit()
  // It takes effect at the next turn of a loop.
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
// The test terminates threads that have come this far, and no others.
parentPort?.postMessage('runs')
const { postMessage } = MessagePort.prototype
MessagePort.prototype.postMessage = function (...message: Parameters<typeof postMessage>) {
  step(true)
  Reflect.apply(postMessage, this, message)
  step()
  // What comes now is another page's.
  stepsLeft = Number.POSITIVE_INFINITY
}

export function onPage({ url }: { readonly url: string }): void {
  const steps = DEADLY.exec(new URL(url).pathname)?.[1]
  stepsLeft = steps === undefined ? Number.POSITIVE_INFINITY : Number(steps)
}
