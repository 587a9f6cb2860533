import { openClient, type RedisClient } from '../../src/cluster/redis/client.ts'
import { startTree } from '../cli/tree-site.ts'
import { callCrawl } from './call-cli.ts'
import { RedisServer } from './redis-server.ts'
import { runCrawl } from './run-cli.ts'
import type { SiteServer } from './site-server.ts'

const PAGES = 40
/** Number of requests after which the site stops responding, until the process is killed. */
const ANSWERED = 12
const JOB = 'sound'
const JOBS = 'ow:jobs'
/** Number of jobs that are tested at the same time. */
const AT_ONCE = 4
/** Milliseconds after which a command is considered to hang. */
const PATIENCE_MS = 60_000

/** A command that damages a key of a job, without the key. */
interface Damage {
  readonly key: string
  readonly command: readonly [name: string, ...words: string[]]
}

/** Values that no script of ours writes, as a field, a list item or a URL. */
const BAD_TEXTS = ['garbage', '-7', '[[1]]', '0 0 ["file:///etc/passwd",0,0,"link",0]']

/** A job whose only process was killed in the middle. Copies of it are damaged, each in another way. */
export class DamagedJob {
  readonly #site: SiteServer
  readonly #redis: RedisServer
  readonly #client: RedisClient
  #keys: readonly string[] = []

  private constructor(site: SiteServer, redis: RedisServer, client: RedisClient) {
    this.#site = site
    this.#redis = redis
    this.#client = client
  }

  static async begin(): Promise<DamagedJob> {
    let isHanging = true
    const site = await startTree(PAGES, async () => {
      while (isHanging && site.requests.length > ANSWERED)
        await new Promise((go) => setTimeout(go, 20))
    })
    const redis = await RedisServer.start()
    const job = new DamagedJob(site, redis, await openClient(redis.url))
    await runCrawl(job.#commandOf(JOB), { signalAfter: { visits: 5, signal: 'SIGKILL' } })
    isHanging = false
    job.#keys = await job.#ask('KEYS', `ow:{${JOB}*`)
    return job
  }

  /** Returns all damages of the keys. */
  async damages(): Promise<Damage[]> {
    // All partitions have the same kinds of keys.
    const kinds = new Map(this.#keys.map((key) => [key.replace(/:\d+(?=\}|:)/, ''), key]))
    const damages = await Promise.all([...kinds.values()].map((key) => this.#damagesOf(key)))
    return damages.flat()
  }

  /**
   * Applies each damage to a copy of the job, and runs commands on it.
   * @returns the results of commands that neither succeeded nor reported the error in one sentence
   */
  async faults(damages: readonly Damage[]): Promise<string[]> {
    const faults: string[] = []
    const left = [...damages.entries()]
    const work = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [index, damage] = next
        faults.push(...(await this.#faultsOf(damage, `job-${index}`)))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return faults
  }

  async close(): Promise<void> {
    this.#client.close()
    await Promise.all([this.#site.close(), this.#redis.close()])
  }

  async #damagesOf(key: string): Promise<Damage[]> {
    const [type = ''] = await this.#ask('TYPE', key)
    const otherType = type === 'string' ? ['LPUSH', 'x'] : ['SET', 'x']
    const commands = [['DEL'], otherType, ...(await this.#damagesByType(type, key))]
    return commands.map(([name = '', ...words]) => ({ key, command: [name, ...words] }))
  }

  async #damagesByType(type: string, key: string): Promise<string[][]> {
    switch (type) {
      case 'hash': {
        const fields = (await this.#ask('HKEYS', key)).slice(0, 5)
        return fields.flatMap((field) => [
          ...BAD_TEXTS.map((text) => ['HSET', field, text]),
          ['HDEL', field],
        ])
      }
      case 'list': {
        const [item = ''] = await this.#ask('LINDEX', key, '0')
        const others = [item.replace('http:', 'file:'), item.replace(/127[^/]*/, 'a.test')]
        return [...BAD_TEXTS, ...others].map((text) => ['LSET', '0', text])
      }
      case 'zset':
        return [
          ['ZADD', '0', 'nobody'],
          ['ZADD', 'inf', 'nobody'],
        ]
      default:
        return BAD_TEXTS.map((text) => ['SET', text])
    }
  }

  async #faultsOf({ key, command: [name, ...words] }: Damage, job: string): Promise<string[]> {
    await this.#copyTo(job)
    const copy = renamed(key, job)
    if (name === 'SET' || name === 'LPUSH') await this.#ask('DEL', copy)
    await this.#ask(name, copy, ...words)
    const faults: string[] = []
    const on = [job, '--frontier', this.#redis.url]
    for (const command of [
      ['job', 'show', ...on],
      this.#commandOf(job),
      ['job', 'delete', ...on],
    ]) {
      const fault = await faultOf(command)
      if (fault !== undefined)
        faults.push(`${name} ${key} ${words.join(' ')}: ${command[1]}: ${fault}`)
    }
    return faults
  }

  async #copyTo(job: string): Promise<void> {
    await Promise.all(this.#keys.map((key) => this.#ask('COPY', key, renamed(key, job))))
    await this.#ask('HSET', JOBS, job, ...(await this.#ask('HGET', JOBS, JOB)))
    // The keys were used a moment ago, so the lease of the killed process is not extended.
    const heard = this.#keys.find((key) => key.endsWith(':heard'))
    if (heard !== undefined) await this.#ask('SET', renamed(heard, job), String(Date.now()))
  }

  #commandOf(job: string): string[] {
    const shared = ['--frontier', this.#redis.url, '--job', job, '--lease', '1s']
    return [`${this.#site.url}/1`, '-q', '-w', '1', '-d', '9', ...shared]
  }

  async #ask(name: string, ...words: string[]): Promise<string[]> {
    return [await this.#client.command('', name, ...words)].flat().map(String)
  }
}

function renamed(key: string, job: string): string {
  return key.replace(`{${JOB}`, `{${job}`)
}

async function faultOf(command: readonly string[]): Promise<string | undefined> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('hangs')), PATIENCE_MS)
  try {
    const { code, stderr } = await Promise.race([callCrawl(command), promise])
    const isSentence = /^crawl: [^\n]+\n$/.test(stderr)
    // The job is gone, or the process that failed on it is still registered until its lease ends.
    const isAsked =
      code === 2 && /no job of this name|expected a job without processes/.test(stderr)
    return code === 0 || (isSentence && (code === 7 || isAsked)) ? undefined : `${code}: ${stderr}`
  } catch (error) {
    return `${error}`
  } finally {
    clearTimeout(timer)
  }
}
