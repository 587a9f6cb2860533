import { expect, it } from 'vitest'
import { describeServerError } from '../../../src/cluster/redis/server-errors.ts'

const coded = (code: string, message: string) => Object.assign(new Error(message), { code })

it.each([
  ['OOM command not allowed', 'is out of memory: give it more', 'memory'],
  ["MISCONF Can't save", "can't save its data, and rejects writes: its log says why", 'disk'],
  ['NOREPLICAS Not enough', 'has fewer replicas than min-replicas-to-write', 'replicas'],
  ['READONLY You can not', 'is a replica: expected its address to lead to', 'a master'],
  ['CLUSTERDOWN Hash slot not served', 'has no master for some keys', 'a master'],
  ['TRYAGAIN Multiple keys request', 'is moving keys of the job to another node', 'keys'],
  ['LOADING Redis is loading', 'is loading its data', 'answers'],
  ['ERR max number of clients reached', 'has as many clients as maxclients', 'answers'],
  ['Socket timeout timeout. Expecting data', "doesn't answer (timeout)", 'answers'],
  ['connect ECONNREFUSED', "can't be reached (connect ECONNREFUSED)", 'answers'],
])('the server error %s is waited for', (reply, text, lack) => {
  const complaint = describeServerError(new Error(reply))
  expect(complaint.text).toContain(text)
  expect(complaint.missing).toBe(lack)
})

it.each([
  ['WRONGPASS invalid', 'refuses user and password of its URL'],
  ['NOAUTH Authentication required.', 'requires a user and password: add them to its URL'],
  [
    'ERR Protocol error: unauthenticated multibulk length',
    'requires a user and password: add them to its URL',
  ],
  [
    "NOPERM User a has no permissions to run the 'lpop' command",
    "grants this user too few rights: NOPERM User a has no permissions to run the 'lpop' command",
  ],
  ['ERR AUTH <password> called without any', 'has no password: remove the password from its URL'],
  ['ERR unknown\nmore', 'answers: ERR unknown'],
])('the server error %s is not waited for', (reply, text) => {
  expect(describeServerError(new Error(reply))).toEqual({ text })
})

it('errors of TLS are explained', () => {
  const text = (code: string, message = '') => describeServerError(coded(code, message)).text
  expect(text('EPROTO', 'C0:error:0A00010B:SSL\n')).toContain('speaks no TLS: expected redis://')
  expect(text('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed')).toBe(
    'has a certificate that is not trusted (self-signed): NODE_EXTRA_CA_CERTS may name a file with its authority',
  )
  expect(text('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')).toContain('tls-auth-clients no')
})
