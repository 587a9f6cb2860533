// `npm run docs` generates this file from the table of all settings, and a test compares them.

/** The settings of the library, as in a config file. */
export interface LibrarySettings {
  /** URLs to start from; without a scheme https is tried, then http. */
  readonly seeds?: readonly string[] | undefined
  /** Links to follow from a seed; redirects, assets and sitemaps do not count. Default: 3. */
  readonly depth?: number | 'unlimited' | undefined
  /** How far to crawl; page: only the seeds. Default: 'host'. */
  readonly scope?: 'page' | 'path' | 'host' | 'domain' | 'any' | undefined
  /** Crawl only URLs that match one of these regular expressions anywhere. */
  readonly include?: readonly string[] | undefined
  /** Do not crawl URLs that match one of these regular expressions anywhere. */
  readonly exclude?: readonly string[] | undefined
  /** Crawl only these paths and everything below them, such as /docs; * stands for any text. */
  readonly includePath?: readonly string[] | undefined
  /**
   * Do not crawl these paths and everything below them, such as '*.pdf' or /private (not /private-sale); * stands for
   * any text.
   */
  readonly excludePath?: readonly string[] | undefined
  /** Also fetch images, scripts, style sheets and what these load, within scope; externalAssets adds all others. */
  readonly assets?: boolean | undefined
  /** With assets: also fetch assets that leave the scope, such as those of a CDN. */
  readonly externalAssets?: boolean | undefined
  /** Check links that leave the scope (HEAD only). */
  readonly external?: boolean | undefined
  /** Read sitemaps for further URLs, such as pages that no page links to. */
  readonly sitemaps?: boolean | undefined
  /**
   * With sitemaps: skip entries of sitemaps that were last modified before this date, such as 2026-11-30, or longer ago
   * than a duration, such as 7d; entries without a date are kept.
   */
  readonly sitemapSince?: string | undefined
  /** Merge URLs that are the same after these rules. */
  readonly canonicalize?: readonly ('strip-www' | 'strip-session' | 'lowercase-path' | 'strip-trailing-slash' | 'strip-index' | 'strip-tracking' | 'sort-query')[] | undefined
  /** Drop the query of links, or only the parameters with these names. */
  readonly stripQuery?: boolean | readonly string[] | undefined
  /** Leave endless URL spaces once their pages show nothing new. Default: true. */
  readonly traps?: boolean | undefined
  /** Flag duplicate pages: same body, or nearly the same text. */
  readonly contentDedup?: 'exact' | 'near' | undefined
  /** Follow the links of duplicate pages. Default: true. */
  readonly followDuplicates?: boolean | undefined
  /** Visit URLs in a fixed order, so that two crawls of a site write the same output. */
  readonly deterministic?: boolean | undefined
  /** Stop after this many visits, including redirects, assets and failures. */
  readonly maxPages?: number | undefined
  /** Start no request after this time, such as 90s or 2h; those in flight have up to 7 s more. */
  readonly maxTime?: string | undefined
  /**
   * Add a field to each record: the first match of a CSS selector; name[]=selector takes all,
   * 'products[]=.product{name=.name, price=.price}' groups fields.
   */
  readonly extract?: Readonly<Record<string, string>> | undefined
  /** Add the readable text of each page. */
  readonly text?: boolean | undefined
  /** Add each page as Markdown. */
  readonly markdown?: boolean | undefined
  /**
   * Take text and markdown only from the first element that matches this CSS selector, such as main; contentDedup near
   * compares only these.
   */
  readonly content?: string | undefined
  /** Add these headers of each response to its data, such as last-modified,x-robots-tag. */
  readonly responseHeaders?: readonly string[] | undefined
  /** Add the SHA-256 of each body, so that crawl diff finds every change of a page. */
  readonly hash?: boolean | undefined
  /** Path or file: URL of a module of hooks, in JavaScript or TypeScript, which the workers import. */
  readonly hooks?: string | undefined
  /** Time limit for one call of a hook. Default: '10s'. */
  readonly hookTimeout?: string | undefined
  /** Requests in flight per host, all workers together. Default: 6. */
  readonly perHost?: number | undefined
  /** Pause between two requests to a host; a longer Crawl-delay of robots.txt wins. Default: '0'. */
  readonly delay?: string | undefined
  /** Another delay for a host and its subdomains, such as { 'example.com': '5s' }. */
  readonly hostDelay?: Readonly<Record<string, string>> | undefined
  /** Add up to this percentage to each pause, at random, such as 50%. */
  readonly jitter?: string | undefined
  /** Maximum requests per second of the whole crawl, such as 5 or 5/s; also 30/m or 100/h. */
  readonly rate?: string | number | undefined
  /** Maximum bytes per second that the whole crawl receives, such as 500k or 2M. */
  readonly bandwidth?: string | undefined
  /** Adapt the pause to the latency of each host. */
  readonly adaptive?: boolean | undefined
  /** Treat hosts at the same address as one host. */
  readonly perIp?: boolean | undefined
  /** Maximum pages per host. */
  readonly maxPerHost?: number | undefined
  /** Maximum pages of all hosts of a registrable domain, such as example.com. */
  readonly maxPerDomain?: number | undefined
  /** Skip a host after this many consecutive failures. Default: 20. */
  readonly maxHostErrors?: number | undefined
  /** Longest Retry-After to wait for; a URL with a longer one fails. Default: '2m'. */
  readonly maxRetryAfter?: string | undefined
  /** Wait this long for a host that stops answering. Default: '2m'. */
  readonly hostPatience?: string | undefined
  /** Do not fetch or obey robots.txt. */
  readonly ignoreRobots?: boolean | undefined
  /** User-Agent header, and the name looked up in robots.txt. Default: orbweaver with its version and a link. */
  readonly userAgent?: string | undefined
  /** Sign each request with this Ed25519 private key (PEM), so that sites can verify who sends it (Web Bot Auth). */
  readonly signingKey?: string | undefined
  /**
   * With signingKey: your site that publishes the public key, such as https://bot.example; the log says what to publish
   * there.
   */
  readonly signatureAgent?: string | undefined
  /** Maximum fetch threads; they start when there is work. Default: available cores. */
  readonly workers?: number | undefined
  /** Requests in flight per worker. Default: 16, or more if perHost is larger. */
  readonly concurrency?: number | undefined
  /** Time limit for one request. Default: '30s'. */
  readonly timeout?: string | undefined
  /** Time limit for name lookup, connecting and TLS. Default: '10s'. */
  readonly connectTimeout?: string | undefined
  /** Bytes per second below which a body times out. */
  readonly minRate?: string | undefined
  /** Time over which minRate is measured. Default: '10s'. */
  readonly minRateTime?: string | undefined
  /** Further attempts after a transient failure. Default: 2. */
  readonly retries?: number | undefined
  /** Also retry these statuses, such as 403 or 5xx; 408, 429, 500, 502, 503 and 504 are always retried. */
  readonly retryStatus?: readonly (string | number)[] | undefined
  /** Maximum redirects in a row. Default: 20. */
  readonly maxRedirects?: number | undefined
  /** Read at most this many bytes of a decoded body. Default: '10MiB'. */
  readonly maxBody?: string | undefined
  /** Add request headers, sent only to the seeds' origins. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Send all requests through this http, https or socks5 proxy, whatever the environment says. */
  readonly proxy?: string | undefined
  /** Hosts, domains, addresses and networks to reach without a proxy; * stands for all. */
  readonly noProxy?: readonly string[] | undefined
  /** Connect to this address for a host and port, without a name lookup. */
  readonly resolve?: readonly string[] | undefined
  /** Connect to IPv4 addresses only. */
  readonly ipv4?: boolean | undefined
  /** Connect to IPv6 addresses only. */
  readonly ipv6?: boolean | undefined
  /** Take the seed's site from this folder instead of the network, such as the output of a site generator. */
  readonly folder?: string | undefined
  /** Also trust the certificates in this PEM file. */
  readonly cacert?: string | undefined
  /** Show this client certificate (PEM) to the seeds' origins. */
  readonly cert?: string | undefined
  /** Private key of cert (PEM). Default: the file of cert. */
  readonly key?: string | undefined
  /** Read the passphrase of key from this file. */
  readonly passphraseFile?: string | undefined
  /** Use HTTP/1.1 only; otherwise servers may choose HTTP/2 over TLS. */
  readonly http1?: boolean | undefined
  /** Accept any TLS certificate. */
  readonly insecure?: boolean | undefined
  /** Fetch from private addresses, too; otherwise a private seed opens only its own host and port. */
  readonly allowPrivate?: boolean | undefined
  /** Log in to the seeds' origins by HTTP Basic, with user:password. */
  readonly auth?: string | undefined
  /** Read user:password for auth from this file. */
  readonly authFile?: string | undefined
  /**
   * Log in before the crawl, with the form that this JSON file describes (fields by the name attributes in its HTML;
   * check.url is a page that only members can open), such as {"url": "https://example.com/login", "fields": {"user":
   * "me", "password": "secret"}, "check": {"url": "https://example.com/account"}}; links to its login page and links
   * that log out are not followed, and if the login is lost, the crawl logs in again.
   */
  readonly login?: string | undefined
  /** Keep cookies and send them back; a Netscape cookie file is read at the start and written at the end. */
  readonly cookies?: boolean | string | undefined
  /** Load pages in a browser and run their scripts; auto finds the pages that need it. Default: 'never'. */
  readonly render?: 'never' | 'auto' | 'always' | undefined
  /** Scroll rendered pages and click their buttons, except those that submit, delete or log out. */
  readonly interact?: boolean | undefined
  /** The browser for render, such as /usr/bin/chromium. Default: an installed Chromium, Chrome or Edge. */
  readonly browser?: string | undefined
  /** Time limit for the scripts of a page, not counting the loading of resources. Default: '10s'. */
  readonly renderTimeout?: string | undefined
  /** How to remember known URLs. Default: 'bloom-growing'. */
  readonly seen?: 'bloom-growing' | 'bloom' | 'bloom-counting' | 'bloom-aging' | 'digest' | 'exact' | 'sqlite' | 'hybrid' | undefined
  /** Number of URLs that the seen set is sized for, at first if it grows. Default: 1000000. */
  readonly expectedUrls?: number | undefined
  /** Share of new URLs that a full Bloom filter may miss. Default: 0.001. */
  readonly falsePositiveRate?: number | undefined
  /** Hash that seen digest stores for each URL. Default: 'halfsiphash'. */
  readonly digest?: 'halfsiphash' | 'md5' | 'sha-1' | 'sha-256' | undefined
  /** Time after which the seen set bloom-aging forgets a URL. Default: '7d'. */
  readonly forgetAfter?: string | undefined
  /** Has no effect on the library, whose logger decides. */
  readonly logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | undefined
  /** Time between two progress lines. Default: '5s'. */
  readonly logInterval?: string | undefined
  /** Has no effect on the library, whose logger decides. */
  readonly logFormat?: 'text' | 'json' | undefined
  /** Has no effect on the library, whose logger decides. */
  readonly color?: 'auto' | 'always' | 'never' | undefined
  /** Has no effect on the library, which shows nothing. */
  readonly progress?: boolean | undefined
}
