import { type KeyObject, verify } from 'node:crypto'

type Headers = Readonly<Record<string, unknown>>

/** Returns whether the signature of a request is valid, as RFC 9421 (section 3.2) verifies it. */
export function isSignatureValid(authority: string, headers: Headers, key: KeyObject): boolean {
  const [, label, params = '', name] =
    /^(\w+)=(\("@authority" "signature-agent";key="(\w+)"\);.+)$/.exec(
      String(headers['signature-input']),
    ) ?? []
  const [, member] = new RegExp(`^${name}=(.+)$`).exec(String(headers['signature-agent'])) ?? []
  const [, signature = ''] =
    new RegExp(`^${label}=:(.+):$`).exec(String(headers['signature'])) ?? []
  const base = [
    `"@authority": ${authority}`,
    `"signature-agent";key="${name}": ${member}`,
    `"@signature-params": ${params}`,
  ]
  return verify(null, Buffer.from(base.join('\n')), key, Buffer.from(signature, 'base64'))
}

/** Returns a parameter of a signature. */
export function signatureParameter(headers: Headers, name: string): string {
  const [, value = ''] =
    new RegExp(`;${name}="?([^;"]+)`).exec(String(headers['signature-input'])) ?? []
  return value
}
