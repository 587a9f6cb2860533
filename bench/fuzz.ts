import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { FetchFailure } from '../src/fetch/fetch-failure.ts'
import { decodeContent } from '../src/fetch/http/body/decompress-body.ts'
import { readSitemap } from '../src/fetch-worker/parse/sitemap/read-sitemap.ts'
import { scanPage } from '../src/html/reference-scanner/scan-page.ts'
import { canonicalize } from '../src/url/canonicalize.ts'
import { LinkResolver } from '../src/url/resolve.ts'
import { seededRandom } from '../test/support/random.ts'
import { PageFuzz } from './fuzz/page-fuzz.ts'
import { cpuSince } from './measure/cpu-time.ts'

/**
 * Feeds mutated pages to the scanners, the decoders and the canonicalizer. None of them may throw, hang, or take more
 * time than the length of the page allows. The scanner in WebAssembly, in a build that checks each memory access, must
 * have the same findings as the scanner in TypeScript. That one must find the same links as parse5.
 *
 *   node bench/fuzz.ts <minutes> <folder of .html files...>
 */
const [minutes = '1', ...folders] = process.argv.slice(2)
const deadline = performance.now() + Number(minutes) * 60_000
const seed = Date.now() % 2 ** 31
const random = seededRandom(seed)
const below = (limit: number) => Math.floor(random() * limit)
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T

/** Maximum milliseconds per MiB, and additional milliseconds for pauses of the machine. */
const SLOWEST = 2_000
const GRACE_MS = 1_000
const ATTEMPTS = 3

const TOKENS = [
  ...['<', '</', '>', '/>', '=', '"', "'", '&', '&#', '&#x41', '&amp', '<!--', '-->', '--!>'],
  ...['<![CDATA[', ']]>', '<script>', '</script', '<title>', '<svg>', '<math>', '<template>'],
  ...['<plaintext>', '<textarea>', '<a href=', '<base href=', '<meta charset=', '<iframe src='],
  ...['srcset=', '\0', '\ufeff', '\x1b$B', '\x0e', '\xa1\xa1', '\x81\x30', '//', '..', '%2e', '%'],
].map((token) => Buffer.from(token, 'latin1'))
const CHARSETS = [
  ...['utf-8', 'gbk', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'utf-16le', 'utf-16be'],
  ...['iso-2022-jp', 'windows-1251', 'x-user-defined', 'replacement', 'no'],
]
/** Encoders by the name of their coding. */
const CODERS = Object.entries({
  ...{ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync },
})

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(folder, name)),
)

/** Returns a piece of a real page, or of filler text, with changed bytes and inserted tokens. */
function mutant(): Buffer {
  const page = files.length > 0 ? readFileSync(oneOf(files)) : Buffer.alloc(below(5_000), 'x ')
  const start = below(page.length)
  const pieces: Buffer[] = []
  for (let left = below(60); left >= 0; left--) {
    const from = start + below(Math.max(1, page.length - start))
    pieces.push(Buffer.from(page.subarray(from, from + below(2_000))), oneOf(TOKENS))
    if (random() < 0.05) pieces.push(Buffer.concat(Array(below(20_000)).fill(oneOf(TOKENS))))
  }
  const bytes = Buffer.concat(pieces)
  for (let left = below(20); left > 0; left--) bytes[below(bytes.length)] = below(256)
  return bytes
}

const pageFuzz = new PageFuzz(random)
const counts = { pages: 0, bytes: 0, links: 0 }

/**
 * Runs a step, and throws if it takes too long in each attempt. A pause of the machine, or a thread that compiles, may
 * slow one attempt down, but not all.
 */
async function timed(what: string, input: Buffer, run: () => unknown): Promise<void> {
  const most = GRACE_MS + (SLOWEST * input.length) / 2 ** 20
  const taken: number[] = []
  do taken.push(await cpuTime(run))
  while ((taken.at(-1) ?? 0) > most && taken.length < ATTEMPTS)
  if (Math.min(...taken) > most) {
    throw new Error(`${what}: ${taken} ms for ${input.length} bytes: ${input.toString('base64')}`)
  }
}

/** Returns the milliseconds of CPU time that a step takes. */
async function cpuTime(run: () => unknown): Promise<number> {
  const started = process.cpuUsage()
  await run()
  return cpuSince(started) / 1_000
}

function links(body: Buffer): void {
  const charset = random() < 0.5 ? undefined : oneOf(CHARSETS)
  const { page, charset: found } = scanPage(body, charset, { maxLinks: 100_000, assets: true })
  const options = { baseHref: page.base, encoding: found }
  const resolver = new LinkResolver('http://example.com/a/b?c', options)
  for (const href of [...[...page.outlinks].map((link) => link.href), ...page.assets]) {
    counts.links++
    const url = resolver.resolve(href)
    if (url === undefined) resolver.failureReason(href)
    else if (canonicalize(new URL(url)) !== url) throw new Error(`not canonical: ${url}`)
  }
}

async function decode(body: Buffer): Promise<void> {
  const [coding, encode] = oneOf(CODERS)
  const coded = encode(body)
  for (let left = below(4); left > 0; left--) coded[below(coded.length)] = below(256)
  const cut = coded.subarray(0, random() < 0.5 ? coded.length : below(coded.length))
  await decodeContent(cut, coding, 1 + below(2 ** 20)).catch((error) => {
    if (!(error instanceof FetchFailure)) throw error
  })
}

try {
  while (performance.now() < deadline) {
    const body = mutant()
    counts.pages++
    counts.bytes += body.length
    await timed('extract', body, () => links(body))
    await timed('compare', body, () => pageFuzz.compare(body))
    if (counts.pages % 4 !== 0) continue
    pageFuzz.compareSoups()
    await timed('decode', body, () => decode(body))
    await timed('sitemap', body, () => readSitemap(body, () => {}, { url: 'http://h/' }))
  }
  console.log(JSON.stringify({ seed, minutes: Number(minutes), ...counts, ...pageFuzz.counts }))
} catch (error) {
  console.error(`seed ${seed}, after ${counts.pages} pages`, error)
  process.exitCode = 1
}
