import { answerNames } from '../../test/support/dns-server.ts'
import { addressOf, type GeneratedWeb, hostNamed } from './generated-web.ts'

/** The address of the name server, for resolv.conf(5). */
export const NAME_SERVER = '127.0.0.53'
const LOOPBACK_6 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

/**
 * Starts the name server of a web. Returns a function that returns the number of its queries. A host that refuses
 * connections is at ::1, where nothing listens.
 */
export async function startNameServer(web: GeneratedWeb): Promise<() => number> {
  let queries = 0
  const known = (name: string) => {
    queries++
    const host = hostNamed(name, web.options.hosts)
    if (host === undefined) return undefined
    const after = web.nameLatencyOf(host)
    const breakage = web.breakageOf(host)
    if (breakage === 'unknown name') return undefined
    if (breakage === 'name server fails') return { A: 'failed', AAAA: 'failed', after } as const
    if (breakage === 'name server is silent') return { A: 'silent', AAAA: 'silent' } as const
    if (breakage === 'refuses') return { AAAA: [LOOPBACK_6], after }
    return { A: [addressOf(host)], after }
  }
  await answerNames(known, { address: NAME_SERVER, port: 53 })
  return () => queries
}
