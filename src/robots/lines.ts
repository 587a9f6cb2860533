/** Maximum octets of a robots.txt that are read. RFC 9309, 2.5 requires at least 500 KiB. */
export const MAX_ROBOTS_BYTES = 512 * 1024

/**
 * Yields the lines of a robots.txt, one char per octet (Latin-1), without line endings (CR, LF or
 * CRLF). Drops everything beyond the limit, including a line that the limit cuts: half a rule would
 * have another meaning.
 */
export function* robotsLines(body: Uint8Array): Generator<string> {
  const text = withoutByteOrderMark(withinLimit(octetsOf(body)))
  let start = 0
  while (start <= text.length) {
    const end = lineEnd(text, start)
    yield text.slice(start, end)
    start = end + (text.startsWith('\r\n', end) ? 2 : 1)
  }
}

function octetsOf(body: Uint8Array): string {
  const size = Math.min(body.length, MAX_ROBOTS_BYTES + 1)
  return Buffer.from(body.buffer, body.byteOffset, size).toString('latin1')
}

function lineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || code === 0x0d) return at
  }
  return text.length
}

function withinLimit(text: string): string {
  if (text.length <= MAX_ROBOTS_BYTES) return text
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
  return text.slice(0, Math.max(end, 0))
}

// Also removes incomplete byte order marks, as Google's parser does.
function withoutByteOrderMark(text: string): string {
  return text.replace(/^\xEF(?:\xBB\xBF?)?/, '')
}
