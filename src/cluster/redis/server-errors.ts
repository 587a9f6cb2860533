import { codeOf } from '../../errors.ts'

/**
 * A thing that a server may lack temporarily: `answers` if it is unavailable, starting or busy, `keys` while a cluster
 * moves them.
 */
type Missing = 'answers' | 'memory' | 'disk' | 'replicas' | 'a master' | 'keys'

/** The reason why a call failed. */
export interface ServerError {
  /** Rest of a sentence whose subject is the server. */
  readonly text: string
  /** Set if waiting helps, because the problem passes or a person can fix it meanwhile. */
  readonly missing?: Missing | undefined
}

type Rule = readonly [pattern: RegExp, text: string, missing?: Missing]

/** Rules for the first words of an error reply (redis.io, "Redis serialization protocol"). */
const REPLIES: readonly Rule[] = [
  [/^OOM\b/, 'is out of memory: give it more (CONFIG SET maxmemory <bytes>)', 'memory'],
  [/^MISCONF\b/, "can't save its data, and rejects writes: its log says why", 'disk'],
  [
    /^NOREPLICAS\b/,
    'has fewer replicas than min-replicas-to-write, and rejects writes',
    'replicas',
  ],
  [/^READONLY\b/, 'is a replica: expected its address to lead to the master', 'a master'],
  [/^(?:CLUSTERDOWN|MASTERDOWN|MOVED)\b/, 'has no master for some keys', 'a master'],
  [
    /^(?:TRYAGAIN|ASK|ERR Script attempted to access a non local key)\b/,
    'is moving keys of the job to another node',
    'keys',
  ],
  [/^LOADING\b/, 'is loading its data', 'answers'],
  [/^BUSY\b/, 'is busy with another script', 'answers'],
  [/^ERR max number of clients\b/, 'has as many clients as maxclients allows', 'answers'],
  [/^NOPERM\b.*\bkeys\b/, 'grants this user too few keys: add ~ow:*'],
  [/^WRONGPASS\b/, 'refuses user and password of its URL'],
  [
    /^(?:NOAUTH\b|ERR Protocol error: unauthenticated)/,
    'requires a user and password: add them to its URL',
  ],
  [/^ERR AUTH\b/, 'has no password: remove the password from its URL'],
  [/^ERR DB index\b/, 'has no database of this number'],
]

// Codes of errors of a connection.
const CERTIFICATE = /CERT|^UNABLE_TO_/
const NO_TLS = /^EPROTO$|WRONG_VERSION_NUMBER/
const MUTE = /timeout|closed unexpectedly|ECONNRESET/
/** Messages of the client after it gave up a connection on which nothing arrived. */
const SILENCE = /^(?:Socket|Connection) timeout/
const CLIENT_CERTIFICATE = /ALERT_CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE/

const RIGHTS = /\b(?:NOPERM|ACL failure|has no permissions|can't run this command)/
/** Errors for a key with data that none of our scripts wrote. */
const DAMAGE = /^WRONGTYPE\b|\buser_script\b/
/** Error of a script that found damage itself. Redis appends the place in the script. */
const FOUND_DAMAGE = /^DAMAGED (.*?)(?: script: .*)?$/
/** All other error replies begin with a word in capitals. */
const REPLY = /^[A-Z]+ /
const MAX_TEXT = 200

/** Describes an error of a call or of the connection. */
export function describeServerError(error: unknown): ServerError {
  const reason = reasonOf(error)
  const rule = REPLIES.find(([pattern]) => pattern.test(reason))
  if (rule !== undefined) return { text: rule[1], missing: rule[2] }
  const [, damage] = FOUND_DAMAGE.exec(reason) ?? []
  if (damage !== undefined) return { text: `contains a damaged job: ${damage}` }
  if (RIGHTS.test(reason)) return { text: `grants this user too few rights: ${reason}` }
  if (DAMAGE.test(reason)) return { text: `contains a damaged job: ${reason}` }
  if (REPLY.test(reason)) return { text: `answers: ${reason}` }
  return { text: describeConnectionError(codeOf(error), reason), missing: 'answers' }
}

/** Describes an error of the first connection. If the server sent nothing, only one end may expect TLS. */
export function describeConnectError(error: unknown): string {
  const { text } = describeServerError(error)
  if (!MUTE.test(text)) return text
  return `${text}: expected rediss:// if it speaks TLS (with tls-auth-clients no), and redis:// if not`
}

function describeConnectionError(code: string, reason: string): string {
  if (CLIENT_CERTIFICATE.test(code)) {
    return 'requires a client certificate, which is not supported: set tls-auth-clients no'
  }
  if (NO_TLS.test(code)) return 'speaks no TLS: expected redis:// in place of rediss://'
  if (CERTIFICATE.test(code)) {
    return `has a certificate that is not trusted (${reason}): NODE_EXTRA_CA_CERTS may name a file with its authority`
  }
  if (SILENCE.test(reason)) return "doesn't answer (timeout)"
  return `can't be reached (${reason})`
}

/** Returns the first line of an error, shortened, since a server may send any text. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message || codeOf(error) || error.name
  return (text.split('\n')[0] ?? '').trim().slice(0, MAX_TEXT)
}
