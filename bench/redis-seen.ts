import { RedisJobQueue } from '../src/cluster/redis/redis-job-queue.ts'
import { seenScriptArguments } from '../src/cluster/redis/seen-script-arguments.ts'
import type { SharedSeenName } from '../src/cluster/shared-seen-options.ts'
import { SHARED_SEEN_NAMES } from '../src/config/settings/seen-settings.ts'
import { connect, RedisServer } from '../test/support/redis-server.ts'
import { seenTestScript } from '../test/support/seen-test-script.ts'
import { parseFlags } from './measure/flags.ts'

// Measures the URLs per second that pass the seen check in Redis, with four batches at a time over one connection. For
// comparison, measures the commands of ScrapyRedisBloomFilter per URL: GETBIT at six places, then SETBIT at six places.
const {
  urls: total,
  batch,
  baseline: few,
} = parseFlags({ urls: 200_000, batch: 1_000, baseline: 2_000 })
const HASHES = 6
const BITS = 2 ** 30
/** Number of batches under way at a time. */
const PIPELINE = 4
const redis = await RedisServer.start()
const servers = await connect(redis.url)
const server = servers.of('bench')
const urlOf = (number: number) => `https://www.example.com/articles/2026/11/${number}/index.html`
const memory = async () =>
  Number(/used_memory:(\d+)/.exec(String(await server.command('', 'INFO', 'memory')))?.[1])

/** Returns the CPU time of the server in milliseconds. */
const cpu = async () => {
  const info = String(await server.command('', 'INFO', 'cpu'))
  const of = (name: string) =>
    Number(new RegExp(`^used_cpu_${name}:([\\d.]+)`, 'm').exec(info)?.[1])
  return (of('user') + of('sys')) * 1_000
}

/** Measures single commands, one per bit. Returns URLs per second. */
async function baseline(): Promise<number> {
  const began = performance.now()
  for (let number = 0; number < few; number++) {
    const url = urlOf(number)
    const places = Array.from({ length: HASHES }, (_, seed) => {
      let sum = 0
      for (const letter of url) sum = (sum + seed * sum + letter.charCodeAt(0)) % BITS
      return String(sum)
    })
    let isKnown = true
    for (const place of places) {
      if (Number(await server.command('base', 'GETBIT', 'base', place)) === 0) isKnown = false
    }
    if (isKnown) continue
    for (const place of places) await server.command('base', 'SETBIT', 'base', place, '1')
  }
  return (few * 1_000) / (performance.now() - began)
}

async function measure(name: SharedSeenName) {
  const options = { name, expectedUrls: total, falsePositiveRate: 0.001, forgetAfter: 3_600_000 }
  const scheme = seenScriptArguments(options, [1, 2], 1)
  const script = seenTestScript(name)
  const [before, cpuBefore] = [await memory(), await cpu()]
  let added = 0
  const began = performance.now()
  const ask = async (start: number) => {
    const fingerprints = Array.from({ length: batch }, (_, place) =>
      scheme.fingerprintOf(urlOf(start + place)),
    )
    const request = JSON.stringify({ fingerprints, seen: scheme.setup })
    const reply = String(await server.evaluate(script, [`ow:{bench-${name}}`], [request]))
    for (const answer of reply) if (answer === '1') added++
  }
  await ask(0)
  const inFlight = new Set<Promise<void>>()
  for (let start = batch; start < total; start += batch) {
    const asked = ask(start).finally(() => inFlight.delete(asked))
    inFlight.add(asked)
    if (inFlight.size >= PIPELINE) await Promise.race(inFlight)
  }
  await Promise.all(inFlight)
  const perSecond = (total * 1_000) / (performance.now() - began)
  const micros = (((await cpu()) - cpuBefore) * 1_000) / total
  const bytes = ((await memory()) - before) / total
  return { perSecond: Math.round(perSecond), lost: total - added, micros, bytes }
}

/** Returns the bytes of memory that a waiting URL takes. */
async function waiting(): Promise<string> {
  const options = { name: 'redis-set', expectedUrls: 1, falsePositiveRate: 0.1, forgetAfter: 1 }
  const queue = await RedisJobQueue.join(servers, 'bench', {}, { ...options, name: 'redis-set' })
  const before = await memory()
  const urls = Array.from({ length: total }, (_, number) => {
    const url = urlOf(number)
    return { url, host: 'www.example.com', depth: 1, text: JSON.stringify([url, 0, 0, 'link', 0]) }
  })
  await queue.push(queue.partitionOf('www.example.com'), urls)
  return (((await memory()) - before) / total).toFixed(1)
}

try {
  const base = await baseline()
  console.log(`exists, then insert: ${Math.round(base)} URLs/s`)
  for (const name of SHARED_SEEN_NAMES) {
    const { perSecond, lost, micros, bytes } = await measure(name)
    const times = (perSecond / base).toFixed(0)
    const cost = `${micros.toFixed(1)} us of the server's CPU and ${bytes.toFixed(1)} bytes each`
    console.log(`${name}: ${perSecond} URLs/s (${times} times), ${lost} lost, ${cost}`)
  }
  console.log(
    `waiting in a queue: ${await waiting()} bytes each (with ${urlOf(total).length} characters)`,
  )
} finally {
  servers.close()
  await redis.close()
}
