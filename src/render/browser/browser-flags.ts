/** Maximum megabytes of a page's JavaScript heap. */
const MAX_HEAP_MB = 512

/**
 * Features that are turned off. Most of them make requests of their own, or requests that bypass the crawler. The spare
 * renderer is a process that is started for a page that may never come.
 */
const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'HttpsUpgrades',
  'InterestFeedContentSuggestions',
  'LoadingPredictor',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'Prerender2',
  'SpareRendererForSitePerProcess',
  'SpeculationRules',
  'SpeculationRulesPrefetchFuture',
  'Translate',
  'WebOTP',
  'WebRtcHideLocalIpsWithMdns',
  'WebUSB',
]

/** The settings that a browser is started with. */
export interface BrowserSettings {
  /** Port of the proxy that refuses all connections. */
  readonly proxyPort: number
  /** True if pages load images. */
  readonly loadsImages: boolean
}

/** Returns the arguments of the browser. They never turn off its sandbox. */
export function browserFlags(
  profile: string,
  { proxyPort, loadsImages }: BrowserSettings,
): string[] {
  return [
    ...['--headless', '--remote-debugging-pipe', '--no-startup-window', '--no-first-run'],
    `--user-data-dir=${profile}`,
    '--window-size=1280,1024',
    // The browser gets only the crawler's responses: it can't connect to any address or resolve any name.
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    ...['--disable-quic', '--no-pings', '--dns-prefetch-disable'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...['--disable-domain-reliability', '--disable-client-side-phishing-detection'],
    ...['--disable-default-apps', '--disable-extensions', '--disable-breakpad'],
    ...['--disable-crash-reporter', '--metrics-recording-only', '--no-default-browser-check'],
    ...['--disable-gpu', '--disable-dev-shm-usage', '--mute-audio', '--hide-scrollbars'],
    // Background pages run as fast as the one in the foreground.
    ...['--disable-background-timer-throttling', '--disable-renderer-backgrounding'],
    ...['--disable-backgrounding-occluded-windows', '--disable-hang-monitor'],
    ...['--password-store=basic', '--use-mock-keychain', '--deny-permission-prompts'],
    // Images that are loaded at all are loaded at once, not only when they scroll into view.
    `--blink-settings=${loadsImages ? 'lazyLoadEnabled' : 'imagesEnabled'}=false`,
    `--js-flags=--max-old-space-size=${MAX_HEAP_MB}`,
    `--disable-features=${DISABLED_FEATURES.join()}`,
  ]
}
