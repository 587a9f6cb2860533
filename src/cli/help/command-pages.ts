import type { ExitName } from '../exit-code.ts'

/** A name or command line, and its meaning. */
export type Explained = readonly [term: string, meaning: string]

/** The parts of a command's help and man page other than its arguments and options. */
export interface CommandPage {
  readonly examples: readonly Explained[]
  readonly exits: readonly ExitName[]
  readonly files: readonly Explained[]
  readonly environment: readonly Explained[]
  /** Long names of the options that `-h` shows; if absent, it shows all options. */
  readonly mainOptions?: readonly string[]
  /** Its page in docs/. */
  readonly docs: string
}

const ALWAYS: readonly ExitName[] = ['done', 'unexpected', 'usage', 'output']
const CRAWLING: readonly ExitName[] = [
  ...ALWAYS,
  'noSeed',
  'hostGivenUp',
  'loginLost',
  'interrupted',
]

const COLORS: readonly Explained[] = [
  ['NO_COLOR', 'no color, unless it is empty (https://no-color.org)'],
  ['FORCE_COLOR', 'color even without a terminal, unless it is 0 or false'],
]
const LOGINS: Explained = [
  'CRAWL_LOGINS',
  'logins for seeds, proxy and Redis: URLs such as https://user:password@example.com, separated by spaces',
]
const CONNECTIONS: readonly Explained[] = [
  ['CRAWL_AUTH', "user:password for the seeds' origins, like --auth"],
  ['CRAWL_KEY_PASSPHRASE', 'the passphrase of --key'],
  [
    'HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY',
    'proxies for http and https sites, and hosts to reach without one; also in lower case; --proxy and --noproxy win',
  ],
]
const TEMPORARY: Explained = ['TMPDIR', 'folder of temporary files, such as databases']
const CONFIG: Explained = [
  'crawler.config.json',
  'settings, if --config names no other file; only flags and a file named by --config may set hooks, logins, headers, proxies, or files outside this folder',
]
const COMPILED: Explained = [
  '~/.cache/orbweaver',
  'compiled code, which makes starts faster; a new version removes what is older than 30 days; you may delete it, or turn it off with NODE_DISABLE_COMPILE_CACHE=1',
]
const STATE: Explained = ['<dir>/crawl.sqlite', 'the crawl in a directory of --state']
const NOTHING = { files: [], environment: [] }

/** The pages of all commands by name. The page of `crawl <seed-url...>` has the name `crawl`. */
export const COMMAND_PAGES: Readonly<Record<string, CommandPage>> = {
  crawl: {
    examples: [
      ['crawl example.com -f line', 'three links deep, one readable line per page'],
      [
        'crawl https://example.com/docs/ --scope path -o docs.csv',
        'one folder of a site, as a table for a spreadsheet',
      ],
      [
        'crawl example.com --state kept -o site.jsonl.gz',
        'after Ctrl-C or kill -9, the same command resumes it',
      ],
      [
        `crawl example.com --print '{status} {url} {via}' --delay 1s`,
        'a line by your own template, and a pause of a second between two requests',
      ],
      [
        `crawl shop.example --extract 'price=.price' -o prices.jsonl`,
        'a field of each page, by CSS selector',
      ],
    ],
    exits: [...CRAWLING, 'state', 'redis'],
    files: [CONFIG, STATE, COMPILED],
    environment: [LOGINS, ...CONNECTIONS, ...COLORS, TEMPORARY],
    mainOptions: [
      ...['--depth', '--scope', '--include', '--exclude', '--exclude-path', '--max-pages'],
      ...['--sitemaps', '--render', '--extract', '--output', '--format', '--state'],
      ...['--per-host', '--delay', '--verbose', '--version', '--help'],
    ],
    docs: 'README.md',
  },
  check: {
    examples: [
      [
        'crawl check example.com',
        'all pages of a site, with images, scripts and links to other sites',
      ],
      ['crawl check example.com --no-external', 'only links within the site'],
      [
        'crawl check https://example.com/docs/ --scope path --junit links.xml -q',
        'one folder, for continuous integration',
      ],
      ['crawl check example.com --accept 403,429,999', 'sites that refuse programs count as fine'],
    ],
    exits: [...CRAWLING, 'broken'],
    files: [CONFIG],
    environment: [LOGINS, ...CONNECTIONS, ...COLORS, TEMPORARY],
    mainOptions: [
      ...['--format', '--fail-on', '--accept', '--junit', '--depth', '--scope', '--exclude-path'],
      ...['--no-assets', '--no-external', '--sitemaps', '--delay', '--quiet', '--help'],
    ],
    docs: 'check.md',
  },
  job: {
    examples: [
      [
        'crawl job list --frontier redis://127.0.0.1',
        'list all jobs: open is the number of URLs left (at most), held the number of leased hosts',
      ],
      ['crawl job show news --frontier redis://127.0.0.1 --json', 'show one job, for a program'],
      [
        'crawl job pause news --frontier redis://127.0.0.1',
        'pause a job until crawl job resume news',
      ],
    ],
    exits: [...ALWAYS, 'redis'],
    ...NOTHING,
    environment: [LOGINS],
    docs: 'redis.md',
  },
  report: {
    examples: [
      ['crawl report visits.jsonl -o report.html', 'visits that a crawl wrote, compressed or not'],
      [
        'crawl report visits.jsonl --links links.jsonl -o report.html',
        'with all pages that link to a broken URL',
      ],
      ['crawl report kept', 'a directory of --state, even while the crawl runs'],
    ],
    exits: [...ALWAYS, 'state'],
    files: [['report.html', 'the report, at a terminal and without --output'], STATE],
    environment: [TEMPORARY],
    docs: 'report.md',
  },
  diff: {
    examples: [
      [
        'crawl example.com -d unlimited --hash -o before.jsonl',
        'make both crawls like this: without --hash, a page that keeps its size counts as unchanged',
      ],
      ['crawl diff before.jsonl after.jsonl', 'what was added, removed or changed'],
      ['crawl diff kept kept-later', 'two directories of --state'],
      ['crawl diff before.jsonl.gz after.jsonl.gz --json', 'one JSON line per difference'],
      ['crawl diff before.jsonl after.jsonl --exit-code', 'ends with 9 if there are differences'],
    ],
    exits: [...ALWAYS, 'state', 'differs'],
    files: [STATE],
    environment: [TEMPORARY],
    docs: 'diff.md',
  },
  state: {
    examples: [
      ['crawl state kept', 'show the progress of the crawl'],
      ['crawl state kept --export queue', 'print all URLs in the queue'],
    ],
    exits: [...ALWAYS, 'state'],
    files: [STATE],
    environment: [],
    docs: 'state.md',
  },
  seen: {
    examples: [
      ['crawl seen kept has https://example.com/a', 'check whether the crawl has seen a URL'],
      ['crawl seen kept add - < done.txt', 'skip these URLs'],
      [
        'crawl seen kept forget https://example.com/a',
        'fetch this URL again when a page links to it',
      ],
    ],
    exits: [...ALWAYS, 'state'],
    files: [STATE],
    environment: [],
    docs: 'state.md',
  },
  plan: {
    examples: [
      ['crawl plan', 'a million URLs, one in a thousand missed'],
      ['crawl plan --urls 1e9 --false-positive-rate 1e-6', 'a larger crawl'],
      ['crawl plan --pages 1e9 --hosts 1e6 --delay 1s --cores 16', 'machines, days, Redis, disk'],
    ],
    exits: ALWAYS,
    ...NOTHING,
    docs: 'scale.md',
  },
  help: {
    examples: [
      ['crawl help', 'commands, and the options that most crawls need'],
      ['crawl help check', 'all options of a command'],
    ],
    exits: ALWAYS,
    ...NOTHING,
    docs: 'README.md',
  },
  completion: {
    examples: [
      ['source <(crawl completion bash)', 'in ~/.bashrc'],
      [`crawl completion zsh > "\${fpath[1]}/_crawl"`, 'once, for zsh'],
      ['crawl completion fish > ~/.config/fish/completions/crawl.fish', 'once, for fish'],
      [
        'crawl completion powershell | Out-String | Invoke-Expression',
        'in the file of $PROFILE, for PowerShell',
      ],
    ],
    exits: ALWAYS,
    ...NOTHING,
    docs: 'how-to/completion.md',
  },
}
