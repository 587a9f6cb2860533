import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { nearName } from '../../near-name.ts'
import { loneWordOf } from '../../url/seed.ts'

/** Words for a task, each with the option or command that does it. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['archive', '-o site.wacz archives a site'],
  ['compare', 'crawl diff compares two crawls'],
  ['crawl', 'crawl <url> crawls a site'],
  ['extract', '--extract <name=selector> extracts data'],
  ['fetch', 'crawl <url> crawls a site'],
  ['images', 'crawl check <url> finds broken images'],
  ['links', 'crawl check <url> finds broken links, --links <file> lists all'],
  ['login', '--auth, --login and --cookies log in'],
  ['mirror', '--save-bodies <dir> mirrors a site'],
  ['resume', '--state <dir> resumes a crawl'],
  ['run', 'crawl <url> crawls a site'],
  ['sitemap', '-o sitemap.xml makes one, --sitemaps reads those of the site'],
  ['start', 'crawl <url> crawls a site'],
  ['version', 'crawl --version prints the version'],
])

/**
 * Ends with an error if the first seed is a lone word, which probably means a command. It is never
 * looked up as a host. A folder of that name is a seed.
 */
export function refuseMisspelledCommand(program: Command, [word]: readonly string[]): void {
  if (word === undefined || loneWordOf(word) !== word || existsSync(word)) return
  const near = nearName(
    word,
    program.commands.map((command) => command.name()),
  )
  const host = `A host of that name is http://${word}/`
  if (near !== undefined) program.error(`${word}: did you mean ${near}? ${host}`)
  const advice = ADVICE.get(word.toLowerCase())
  const instead = advice === undefined ? '' : `: ${advice}`
  program.error(`${word}: no such command${instead}. ${host}`)
}
