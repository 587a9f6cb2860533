import fc from 'fast-check'

/** The bytes of a connection, as characters, and how they are split into reads. */
export interface Received {
  readonly text: string
  /** True for a response to HEAD. */
  readonly isHead: boolean
  /** Indexes at which one read ends, and another begins. */
  readonly cuts: readonly number[]
}

const chosen = (...texts: readonly string[]) => fc.constantFrom(...texts)
const either = <T>(often: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>, weight = 8) =>
  fc.oneof({ arbitrary: often, weight }, { arbitrary: seldom, weight: 1 })

const lineEnd = either(fc.constant('\r\n'), chosen('\n', '\n', '\r\r\n', '\r', '\n\r'), 12)
/** A line with its line ending. */
const line = (text: fc.Arbitrary<string>) => fc.tuple(text, lineEnd).map((parts) => parts.join(''))
const lines = (text: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(line(text), { maxLength }).map((all) => all.join(''))

const status = either(
  chosen('200', '404', '204', '304', '301', '408'),
  chosen('600', '000', '099', '2000', '20', '2x0', ''),
)
const version = either(
  chosen('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'),
  chosen('HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', 'HTTP/01.1', 'ICY'),
)
const reason = either(
  chosen(' OK', ' Not Found', '', ' ', ' caf\xe9'),
  chosen('\tOK', ' a\tb', ' \x01', ' a\0', '  OK'),
)
const statusLine = fc
  .tuple(version, fc.constant(' '), status, reason)
  .map((parts) => parts.join(''))
const interimLine = fc
  .tuple(chosen('100', '102', '103', '199', '101'), reason)
  .map(([code, text]) => `HTTP/1.1 ${code}${text}`)

const space = either(
  chosen('', ' ', ' '),
  chosen('  ', '\t', ' \t ', '\r\n ', '\n\t', '\r\n \r\n '),
)
const field = (names: fc.Arbitrary<string>, values: fc.Arbitrary<string>) =>
  fc
    .tuple(
      names,
      either(fc.constant(':'), chosen(' :', '\t:', '::', '', ';'), 30),
      space,
      values,
      space,
    )
    .map((parts) => parts.join(''))

const otherValue = either(
  chosen('', 'a', 'text/html', 'a, b', 'caf\xe9', '"x;y"', 'a:b', 'a\tb', 'a\r\n b', 'a\n\tb'),
  chosen('a\0b', 'a\rb', '\x7f', '\x1b[0m', 'a\x0bb'),
  20,
)
const otherField = field(
  either(
    chosen('X-A', 'x-a', 'Server', 'Set-Cookie', 'ETag', '__proto__', 'constructor'),
    chosen('', 'X A', 'X\xe9', '(x)', 'Content-Length '),
  ),
  otherValue,
)
const connectionField = field(
  chosen('Connection', 'connection', 'CONNECTION', 'Proxy-Connection'),
  chosen(
    'close',
    'keep-alive',
    'Close',
    'Keep-Alive',
    'close, keep-alive',
    'x, close',
    'x,close,',
    'upgrade',
    'closed',
    'not close',
    '',
  ),
)
const keepAliveField = field(
  chosen('Keep-Alive'),
  chosen('timeout=5', 'timeout=2', 'max=3, timeout=1', 'timeout', 'timeout=99999999'),
)
const upgradeField = field(chosen('Upgrade'), chosen('websocket', 'h2c', ''))
const lengthField = (length: number) =>
  field(
    chosen('Content-Length', 'content-length', 'CONTENT-LENGTH'),
    either(
      fc.constant(`${length}`),
      chosen(
        `${length + 1}`,
        `0${length}`,
        `+${length}`,
        `-${length}`,
        `${length},${length}`,
        `0x${length}`,
        `${length} 1`,
        `${length}.0`,
        '',
        '0',
        '00',
        '9007199254740993',
        '99999999999999999999',
      ),
    ),
  )
const codingField = field(
  chosen('Transfer-Encoding', 'transfer-encoding', 'TRANSFER-ENCODING'),
  either(
    chosen('chunked', 'chunked', 'Chunked', 'gzip, chunked', 'gzip,chunked'),
    chosen(
      'chunked, gzip',
      'identity',
      'chunked, chunked',
      'xchunked',
      'chunkedx',
      '"chunked"',
      'chunked;q=1',
      'chunked,',
      ',chunked',
      '',
    ),
  ),
)
const someField = fc.oneof(
  { arbitrary: otherField, weight: 6 },
  { arbitrary: connectionField, weight: 2 },
  { arbitrary: keepAliveField, weight: 1 },
  { arbitrary: upgradeField, weight: 1 },
)

const data = fc.oneof(
  { arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 30 }), weight: 2 },
  {
    arbitrary: chosen(
      'hello',
      '',
      '\r\n\r\n',
      '\n\n',
      '0\r\n\r\n',
      'HTTP/1.1 200 OK\r\n\r\n',
      'caf\xe9',
    ),
    weight: 1,
  },
)

const extension = either(
  chosen('', '', ';a', ';a=b', ';a="b;c"', '; a = b'),
  chosen(';', ';=', ';a="b', ';a\x01', ';a\r', ' a', ';a=\xe9'),
)
const padding = either(chosen('', ''), chosen(' ', '  ', '\t', ' \t'))
const digits = fc.oneof(
  { arbitrary: fc.constant((size: number) => size.toString(16)), weight: 8 },
  { arbitrary: fc.constant((size: number) => size.toString(16).toUpperCase()), weight: 3 },
  { arbitrary: fc.constant((size: number) => `00${size.toString(16)}`), weight: 1 },
  { arbitrary: fc.constant((size: number) => `${'0'.repeat(20)}${size.toString(16)}`), weight: 1 },
  { arbitrary: fc.constant((size: number) => `${(size + 1).toString(16)}`), weight: 1 },
  {
    arbitrary: chosen(
      '',
      'x',
      '-1',
      '+1',
      '0x1',
      'ffffffffffffffff',
      'fffffffffffff',
      '10000000000000001',
    ).map((text) => () => text),
    weight: 1,
  },
)
const chunk = (content: fc.Arbitrary<string>) =>
  fc
    .tuple(digits, padding, extension, lineEnd, content, lineEnd)
    .map(([size, pad, ext, end, text, after]) =>
      text === '' ? '' : `${size(text.length)}${pad}${ext}${end}${text}${after}`,
    )
const lastChunk = fc
  .tuple(
    either(chosen('0', '0', '00'), chosen('', '00000000000000000000')),
    padding,
    extension,
    lineEnd,
  )
  .map((parts) => parts.join(''))
const trailer = fc.oneof(
  { arbitrary: fc.constant(''), weight: 4 },
  { arbitrary: lines(fc.oneof(otherField, codingField, lengthField(3)), 2), weight: 1 },
)
const chunks = fc
  .tuple(fc.array(chunk(data), { maxLength: 3 }), lastChunk, trailer, lineEnd)
  .map(([all, ...end]) => all.join('') + end.join(''))

const counted = data.chain((body) => headed(lengthField(body.length), fc.constant(body)))
const chunkedBody = headed(codingField, chunks)
const endless = headed(fc.constant(undefined), data)
/** Headers with both a length and a coding, or several of one. */
const confused = headed(
  fc
    .array(fc.oneof(lengthField(5), codingField), { minLength: 1, maxLength: 3 })
    .chain((fields) =>
      fc
        .array(lineEnd, { minLength: fields.length, maxLength: fields.length })
        .map((ends) =>
          fields
            .map((text, index) => text + (index < fields.length - 1 ? ends[index] : ''))
            .join(''),
        ),
    ),
  fc.oneof(chunks, data),
)

/** A header that contains this field, and a body. */
function headed(framing: fc.Arbitrary<string | undefined>, body: fc.Arbitrary<string>) {
  const framed = framing.chain((text) =>
    text === undefined ? fc.constant('') : line(fc.constant(text)),
  )
  return fc
    .tuple(line(statusLine), lines(someField, 2), framed, lines(someField, 1), lineEnd, body)
    .map((parts) => parts.join(''))
}

const interim = fc
  .tuple(line(interimLine), lines(fc.oneof(someField, lengthField(3)), 1), lineEnd)
  .map((parts) => parts.join(''))

const whole = fc
  .tuple(
    either(fc.constant(''), chosen('\r\n', '\n', '\r\n\r\n', ' ', '\r'), 15),
    either(fc.constant<string[]>([]), fc.array(interim, { maxLength: 2 }), 4),
    fc.oneof(
      { arbitrary: counted, weight: 4 },
      { arbitrary: chunkedBody, weight: 5 },
      { arbitrary: endless, weight: 2 },
      { arbitrary: confused, weight: 1 },
    ),
    either(fc.constant(''), chosen('\r\n', 'HTTP/1.1 200 OK\r\n\r\n', 'more'), 4),
  )
  .map(([before, interims, response, after]) => before + interims.join('') + response + after)

type Mutation = readonly [
  kind: 'insert' | 'replace' | 'delete' | 'cut',
  at: number,
  character: string,
]

const mutation: fc.Arbitrary<Mutation> = fc.tuple(
  fc.constantFrom('insert', 'replace', 'delete', 'cut'),
  fc.nat(),
  fc.oneof(
    chosen('\r', '\n', ' ', '\t', ':', ',', ';', '\0', '0', '\xff', 'a'),
    fc.nat(255).map((code) => String.fromCharCode(code)),
  ),
)

function mutated(text: string, [kind, position, character]: Mutation): string {
  const at = position % (text.length + 1)
  if (kind === 'insert') return text.slice(0, at) + character + text.slice(at)
  if (kind === 'replace') return text.slice(0, at) + character + text.slice(at + 1)
  if (kind === 'delete') return text.slice(0, at) + text.slice(at + 1)
  return text.slice(0, at)
}

/** Responses: most are valid or nearly so, some have bytes changed anywhere. */
export const arbitraryResponse: fc.Arbitrary<Received> = fc
  .record({
    text: whole,
    mutations: either(
      fc.constant<Mutation[]>([]),
      fc.array(mutation, { minLength: 1, maxLength: 2 }),
      2,
    ),
    isHead: either(fc.constant(false), fc.constant(true)),
    cuts: fc.array(fc.nat(250), { maxLength: 5 }),
  })
  .map(({ text, mutations, isHead, cuts }) => ({
    text: mutations.reduce(mutated, text),
    isHead,
    cuts,
  }))
