/** One way to log in that a server offers: an element of WWW-Authenticate (RFC 9110, 11.6.1). */
export interface Challenge {
  /** Name of the scheme in lower case, such as `digest`. */
  readonly scheme: string
  /** Values without quotes, by names in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Matches a name, which is a scheme if no value follows. The value is quoted or not. */
const PART = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/sy

/** Matches a scheme with a single value of another form (`token68`), such as that of Negotiate. */
const WITH_TOKEN = /[\s,]*([\w!#$%&'*+.^`|~-]+) +[\w.~+/-]+=*\s*(?=,|$)/y

/** Returns the challenges of WWW-Authenticate headers. What follows a malformed part is ignored. */
export function parseChallenges(header: string | readonly string[] | undefined): Challenge[] {
  const text = [header ?? []].flat().join()
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  for (let at = 0; ; ) {
    WITH_TOKEN.lastIndex = PART.lastIndex = at
    const whole = WITH_TOKEN.exec(text)
    const part = whole ?? PART.exec(text)
    if (part === null) break
    at += part[0].length
    const [, name = '', quoted, plain] = part
    const value = quoted?.replace(/\\(.)/gs, '$1') ?? plain
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() })
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), value)
  }
  return challenges
}

/** Returns whether WWW-Authenticate headers offer HTTP Basic (RFC 7617). */
export function offersBasic(header: string | readonly string[] | undefined): boolean {
  return parseChallenges(header).some(({ scheme }) => scheme === 'basic')
}
