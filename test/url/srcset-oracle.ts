const SPACE = ' \t\n\f\r'

/** Implements "parse a srcset attribute" of the HTML standard, step by step. Returns only the URLs. */
export function srcsetOracle(input: string): string[] {
  const candidates: string[] = []
  let position = 0
  const collect = (test: (c: string) => boolean): string => {
    const start = position
    while (position < input.length && test(input.charAt(position))) position++
    return input.slice(start, position)
  }
  for (;;) {
    collect((c) => SPACE.includes(c) || c === ',')
    if (position >= input.length) return candidates
    let url = collect((c) => !SPACE.includes(c))
    let descriptors: string[] = []
    if (url.endsWith(',')) while (url.endsWith(',')) url = url.slice(0, -1)
    else [descriptors, position] = tokenize(input, position)
    if (isCandidate(descriptors)) candidates.push(url)
  }
}

/** The "descriptor tokenizer". */
function tokenize(input: string, from: number): [descriptors: string[], position: number] {
  const descriptors: string[] = []
  let position = from
  while (position < input.length && SPACE.includes(input.charAt(position))) position++
  let current = ''
  let state: 'in descriptor' | 'in parens' | 'after descriptor' = 'in descriptor'
  for (; ; position++) {
    const c = input.charAt(position)
    if (state === 'after descriptor' && c !== '' && !SPACE.includes(c)) state = 'in descriptor'
    if (c === '') {
      if (current !== '') descriptors.push(current)
      return [descriptors, position]
    }
    if (state === 'in parens') {
      current += c
      if (c === ')') state = 'in descriptor'
    } else if (state === 'in descriptor') {
      if (SPACE.includes(c)) {
        if (current !== '') {
          descriptors.push(current)
          current = ''
          state = 'after descriptor'
        }
      } else if (c === ',') {
        if (current !== '') descriptors.push(current)
        return [descriptors, position + 1]
      } else {
        current += c
        if (c === '(') state = 'in parens'
      }
    }
  }
}

/** The "descriptor parser". */
function isCandidate(descriptors: readonly string[]): boolean {
  let error = false
  let width: number | undefined
  let density: number | undefined
  let height: number | undefined
  for (const each of descriptors) {
    const number = each.slice(0, -1)
    const value = Number(number)
    if (each.endsWith('w') && /^[0-9]+$/.test(number)) {
      if (width !== undefined || density !== undefined || value === 0) error = true
      width = value
    } else if (each.endsWith('x') && /^-?([0-9]+|[0-9]*\.[0-9]+)([eE][-+]?[0-9]+)?$/.test(number)) {
      if (width !== undefined || density !== undefined || height !== undefined) error = true
      if (value < 0) error = true
      density = value
    } else if (each.endsWith('h') && /^[0-9]+$/.test(number)) {
      if (height !== undefined || density !== undefined || value === 0) error = true
      height = value
    } else error = true
  }
  if (height !== undefined && width === undefined) error = true
  return !error
}
