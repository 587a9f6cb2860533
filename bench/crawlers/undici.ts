import { readFileSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { Agent, type Dispatcher, request } from 'undici'

/**
 * The lower bound for the cost of every crawler on undici: fetches known URLs, and doesn't read the responses.
 *
 *   node undici.ts <request|dispatch> <threads> <concurrency> <origin> <file of paths, one per line>
 */
type Fetch = (dispatcher: Agent, origin: string, path: string) => Promise<void>

const fetches: Readonly<Record<string, Fetch>> = {
  /** Uses undici's usual API, with a stream for each body. */
  request: async (dispatcher, origin, path) => {
    const { body } = await request(origin + path, { dispatcher })
    await body.bytes()
  },
  /** Does the least that undici can do: drops the chunks as they arrive. */
  dispatch: (dispatcher, origin, path) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd: () => resolve(),
      onResponseError: (_controller, error) => reject(error),
    }
    dispatcher.dispatch({ origin, path, method: 'GET' }, handler)
    return promise
  },
}

async function fetchAll(part: number): Promise<void> {
  const [api = '', threads, concurrency, origin = '', list = ''] = process.argv.slice(2)
  const fetch = fetches[api]
  if (fetch === undefined) throw new Error(`request or dispatch, not ${api}`)
  const all = readFileSync(list, 'utf8').split('\n').filter(Boolean)
  const paths = all.filter((_, index) => index % Number(threads) === part)
  const connections = Math.ceil(Number(concurrency) / Number(threads))
  const dispatcher = new Agent({ connections, connect: { rejectUnauthorized: false } })
  const fetchNext = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      await fetch(dispatcher, origin, path)
    }
  }
  await Promise.all(Array.from({ length: connections }, fetchNext))
  await dispatcher.close()
}

if (isMainThread) {
  const threads = Number(process.argv[3])
  for (let part = 1; part < threads; part++) {
    new Worker(new URL(import.meta.url), { workerData: part, argv: process.argv.slice(2) })
  }
}
await fetchAll(isMainThread ? 0 : Number(workerData))
