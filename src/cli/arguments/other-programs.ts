const HTTP2 = 'servers may choose HTTP/2; --http1 turns that off'
const LINKS = 'links are followed; --depth says how far'
const REDIRECTS = 'redirects are followed; --max-redirects says how many in a row'
const ROBOTS = 'robots.txt is obeyed; --ignore-robots turns that off'
const JSON_LINES = 'JSON lines are the default format; --format has others'
const COMPRESSION = 'compressed responses are requested by default'
const FRAGMENTS = 'crawl check checks fragments; its --fail-on broken tolerates missing ones'
const EXTENSIONS = 'saved files end in the extension of their type'
const SEED = 'a seed URL needs no option; --seeds reads a file of them'
const INDEX = 'site.warc.gz gets an index, site.cdxj'
const LOG = 'the log goes to stderr, and 2> crawl.log writes it to a file'
const NO_CLOBBER = 'existing files are kept; --overwrite replaces them'

/** Options of other programs that a crawl doesn't need, each with the default that makes it needless. */
export const NEEDLESS_OPTIONS: Readonly<Record<string, string>> = {
  '--adjust-extension': EXTENSIONS,
  '--anchors': FRAGMENTS,
  '--cdx': INDEX,
  '--check-anchors': FRAGMENTS,
  '--compressed': COMPRESSION,
  '--compression': COMPRESSION,
  '--error-log': LOG,
  '--follow-redirects': REDIRECTS,
  '--follow-robots-txt': ROBOTS,
  '--generate-cdx': INDEX,
  '--http2': HTTP2,
  '--include-fragments': FRAGMENTS,
  '--json': JSON_LINES,
  '--jsonl': JSON_LINES,
  '--location': REDIRECTS,
  '--log-file': LOG,
  '--logfile': LOG,
  '-E': EXTENSIONS,
  '-L': REDIRECTS,
  '-r': LINKS,
  '--recurse': LINKS,
  '--recursive': LINKS,
  '--no-clobber': NO_CLOBBER,
  '-nc': NO_CLOBBER,
  '--obey-robots': ROBOTS,
  '--respect-robots': ROBOTS,
  '--robots': ROBOTS,
  '--start-url': SEED,
  '--start-urls': SEED,
  '--url': SEED,
  '--urls': SEED,
  '--warc-cdx': INDEX,
}

const PARENT = '--scope path'
const SUBDOMAINS = '--scope domain'
const ACCEPT = '--accept'
const FIELD = '--extract'
const REVISIT = '--revisit-after'
const ARCHIVE = '--output site.warc.gz'
const COOKIE = "--cookies <file> or --header 'Cookie: …'"
const MIRROR = '--save-bodies <dir> with --assets and --depth unlimited'
const REFERER = "--header 'Referer: …'"

/**
 * Options of other programs (curl, wget, HTTrack, Katana, Scrapy, and link checkers), each with the option of this
 * program, and its value if it needs a certain one. A name that means different things in these programs has several
 * options.
 */
export const EQUIVALENT_OPTIONS: Readonly<Record<string, string>> = {
  '-A': '--user-agent, --include-path, or --save-only with --save-bodies',
  '-D': '--scope',
  '-I': '--include-path',
  '-N': REVISIT,
  '-O': '--output',
  '-P': '--save-bodies',
  '-R': '--exclude-path',
  '-T': '--timeout',
  '-U': '--user-agent',
  '-X': '--exclude-path (there are no requests but GET and HEAD)',
  '-b': COOKIE,
  '-cs': '--include',
  '-ct': '--max-time',
  '-e': `${REFERER} or --ignore-robots`,
  '-fr': '--exclude',
  '-fs': '--scope',
  '-i': '--seeds',
  '-j': '--workers',
  '-jc': '--render',
  '-k': '--insecure',
  '-l': '--depth',
  '-m': `--timeout, or ${MIRROR}`,
  '-np': PARENT,
  '-nv': '--quiet',
  '-p': '--assets',
  '-s': '--quiet',
  '-t': '--retries or --format',
  '-u': '--auth, or the URL without an option',
  '-x': '--proxy',
  '--accept': '--include, or --save-only with --save-bodies',
  '--accept-status': ACCEPT,
  '--accepted-status-codes': ACCEPT,
  '--css': FIELD,
  '--css-selector': FIELD,
  '--cookie': COOKIE,
  '--crawl-list': '--seeds',
  '--csv': '--format csv',
  '--custom-headers': '--header',
  '--debug': '--verbose',
  '--digest': '--auth',
  '--directory': '--save-bodies',
  '--follow-subdomains': SUBDOMAINS,
  '--generate-wacz': '--output site.wacz',
  '--generate-warc': ARCHIVE,
  '--html-report': 'crawl report',
  '--ignore-fragments': '--fail-on broken',
  '--ignore-query-params': '--strip-query',
  '--ignore-status-codes': ACCEPT,
  '--include-subdomains': SUBDOMAINS,
  '--input-file': '--seeds',
  '--json': '--format json',
  '--js-crawl': '--render',
  '--jsonl': '--format json',
  '--list': '--seeds',
  '--max-cache-age': '--cache-age',
  '--max-redirs': '--max-redirects',
  '--mirror': MIRROR,
  '--no-verbose': '--quiet',
  '--no-parent': PARENT,
  '--offline': '--no-external',
  '--one-page-only': '--scope page',
  '--output-dir': '--save-bodies',
  '--output-html-report': 'crawl report',
  '--path': '--save-bodies or --include-path',
  '--referer': REFERER,
  '--remove-query-params': '--strip-query',
  '--save-state': '--state',
  '--seed-file': '--seeds',
  '--selector': FIELD,
  '--silent': '--quiet',
  '--single-page': '--scope page',
  '--sitemap-xml-file': '--output sitemap.xml',
  '--skip-tls-verification': '--insecure',
  '--spider': 'crawl check',
  '--status-code': ACCEPT,
  '--stdin': '--seeds -',
  '--subdomains': SUBDOMAINS,
  '--timestamping': REVISIT,
  '--url-list': '--seeds',
  '--warc': '--format warc',
  '--warc-file': ARCHIVE,
  '--xpath': `${FIELD} (with a CSS selector)`,
}
