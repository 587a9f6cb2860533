import * as v from 'valibot'
import { allColumns } from '../../records/visit-columns.ts'
import { fileName, outputNames } from '../file-name-schemas.ts'
import { duration, size } from '../quantity-schemas.ts'
import { setting } from '../setting.ts'
import { fieldNames, fileExtensions, flag, lineTemplate, oneOf } from '../value-schemas.ts'

/** Formats of visits, each with its file extensions. */
export const FORMAT_EXTENSIONS = {
  jsonl: ['.jsonl', '.ndjson'],
  csv: ['.csv'],
  txt: ['.txt'],
  line: [],
  md: ['.md'],
  sitemap: ['.xml'],
  dot: ['.dot', '.gv'],
  graphml: ['.graphml'],
  sqlite: ['.sqlite', '.sqlite3', '.db'],
  warc: ['.warc.gz'],
  wacz: ['.wacz'],
} as const
export type Format = keyof typeof FORMAT_EXTENSIONS
export const FORMATS = Object.keys(FORMAT_EXTENSIONS).filter(isFormat)

function isFormat(name: string): name is Format {
  return Object.hasOwn(FORMAT_EXTENSIONS, name)
}

/** Ten years. */
const MAX_AGE_MS = 3_650 * 86_400_000

const file = { trust: 'inside', decides: 'files' } as const
const round = { trust: 'any', decides: 'run' } as const

/** Settings of output files and of the stored crawl. */
export const outputSettings = {
  output: setting(
    {
      ...file,
      flag: '-o, --output <file>',
      otherNames: ['--output-document', '--output-file', '--out'],
      list: 'repeated',
      help: 'write visits to this file, compressed if it ends in .gz or .zst; - is stdout',
    },
    v.optional(outputNames(), '-'),
  ),
  format: setting(
    {
      trust: 'any',
      decides: 'files',
      flag: '-f, --format <name>',
      otherNames: ['--output-format', '--export-format'],
      defaultText: 'by the extension of the file, else jsonl',
      help: 'format of the visits',
    },
    v.optional(oneOf(FORMATS)),
  ),
  fields: setting(
    {
      trust: 'any',
      decides: 'files',
      flag: '--fields <names>',
      otherNames: ['--columns', '--column', '--field', '--select', '--export-fields'],
      list: 'commas',
      someItems: allColumns([]),
      help: 'write only these fields of each visit, in this order, such as url,status,title,data.price; for csv and jsonl',
    },
    v.optional(fieldNames()),
  ),
  print: setting(
    {
      trust: 'any',
      decides: 'files',
      flag: '--print <template>',
      help: 'write each visit as this line, such as "{status} {url}"',
    },
    v.optional(lineTemplate()),
  ),
  skipped: setting(
    {
      ...file,
      flag: '--skipped <file>',
      help: 'write one line for each URL that was found but not fetched, with the reason; if a URL is missing, run your command again with this option and another -o, without --state; if it is in neither file, try -d unlimited, --sitemaps or --render auto',
    },
    v.optional(fileName('a file name')),
  ),
  links: setting(
    { ...file, flag: '--links <file>', help: 'write one line for each link of each page' },
    v.optional(fileName('a file name')),
  ),
  saveBodies: setting(
    {
      ...file,
      flag: '--save-bodies <dir>',
      otherNames: ['--convert-links', '--store-response', '--download', '--directory-prefix'],
      help: 'save pages as files to read offline, in <dir>/<host>/ (host+port if there is a port); the end of the log names the file to open; --assets adds images and styles',
    },
    v.optional(fileName('a folder')),
  ),
  saveOnly: setting(
    {
      trust: 'any',
      decides: 'files',
      flag: '--save-only <extensions>',
      otherNames: ['--save-types', '--file-types', '--extensions'],
      list: 'commas',
      help: 'with --save-bodies: save only files with these extensions, such as pdf,docx; a file gets the extension of its type if its URL has another one or none',
    },
    v.optional(fileExtensions()),
  ),
  screenshots: setting(
    {
      ...file,
      flag: '--screenshots <dir>',
      otherNames: ['--screenshot', '--screenshot-dir'],
      help: 'with --render: save a screenshot of each rendered page, its whole length, as a PNG file in <dir>/<host>/',
    },
    v.optional(fileName('a folder')),
  ),
  splitWarc: setting(
    {
      ...round,
      flag: '--split-warc <size>',
      otherNames: ['--warc-max-size', '--max-warc', '--warc-size', '--rollover-size'],
      help: 'with -o site.warc.gz: continue the archive in site-00002.warc.gz, and so on, when a file has this size, such as 1GiB',
    },
    v.optional(size(2 ** 40, 2 ** 20)),
  ),
  warcDedup: setting(
    {
      ...round,
      trust: 'inside',
      flag: '--warc-dedup <index>',
      otherNames: ['--dedup-index', '--dedupe-index'],
      list: 'repeated',
      help: 'with -o site.warc.gz: do not store bodies again that an earlier archive has, whose index (CDXJ or CDX) this is',
    },
    v.optional(v.array(fileName('a list of file names'), 'a list of file names'), []),
  ),
  overwrite: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--overwrite',
      help: 'replace an existing output file',
    },
    flag(),
  ),
  state: setting(
    {
      trust: 'inside',
      decides: 'run',
      flag: '--state <dir>',
      otherNames: ['--resume', '--continue', '--checkpoint', '--jobdir'],
      help: 'keep the crawl in this directory; the same command resumes it',
    },
    v.optional(fileName('a directory')),
  ),
  revisitAfter: setting(
    {
      ...round,
      flag: '--revisit-after <duration>',
      help: 'with --state: visit URLs again whose last visit is older than this',
    },
    v.optional(duration(0, MAX_AGE_MS)),
  ),
  retryFailed: setting(
    {
      ...round,
      flag: '--retry-failed',
      help: 'with --state: visit failed URLs again if the failure may have been transient',
    },
    flag(),
  ),
  force: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--force',
      help: 'resume despite changed settings',
    },
    flag(),
  ),
}
