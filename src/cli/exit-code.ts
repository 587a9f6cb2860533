/** Exit codes of the process. That of a CrawlerError has the name of its kind. */
export const EXIT_CODE = {
  done: 0,
  unexpected: 1,
  usage: 2,
  noSeed: 3,
  hostGivenUp: 4,
  output: 5,
  state: 6,
  redis: 7,
  broken: 8,
  differs: 9,
  loginLost: 10,
  interrupted: 130,
} as const
export type ExitName = keyof typeof EXIT_CODE

/** Meanings of the exit codes, for help and docs. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  done: 'Done, even if a limit was reached or the pipe was closed.',
  unexpected: 'An unexpected error.',
  usage: 'The command line or the config is wrong, or the login failed.',
  noSeed: 'No seed could be fetched; any HTTP status counts as fetched, even 404 or 500.',
  hostGivenUp:
    'A host stopped answering, and its remaining URLs were not fetched; they can be retried.',
  output: 'The output could not be written.',
  state: 'The directory of --state is unusable, or another process uses it.',
  redis: 'A Redis server of --frontier is unreachable, or refuses a connection or command.',
  broken: 'crawl check found broken links or missing fragments.',
  differs: 'crawl diff --exit-code found differences.',
  loginLost:
    'The login was lost during the crawl, and logging in again failed, so pages are missing.',
  interrupted: 'Interrupted by SIGINT, SIGTERM or SIGHUP.',
}

/** Meanings of exit codes of commands that don't crawl, where they differ. */
export const EXIT_MEANINGS_WITHOUT_CRAWL: Readonly<Partial<Record<ExitName, string>>> = {
  done: 'Done, even if the pipe was closed.',
  usage: 'The command line is wrong, or a file that it names.',
}
