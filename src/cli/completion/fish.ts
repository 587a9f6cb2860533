import type { CommandWords, OptionWords, ValueWords } from './command-tree.ts'

/** Returns a script that makes fish complete the command line. */
export function fishCompletion(program: CommandWords): string {
  const { commands, options } = program
  const all = commands.map((command) => command.name).join(' ')
  const none = `-n 'not __fish_seen_subcommand_from ${all}'`
  const lines = [
    `# fish completion of crawl: crawl completion fish > ~/.config/fish/completions/crawl.fish`,
    FUNCTIONS,
    ...commands.map(
      (command) =>
        `complete -c crawl -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.description)}`,
    ),
    ...options.map((option) => `complete -c crawl ${none} ${words(option)}`),
    ...commands.flatMap(argumentLines),
    ...commands.flatMap((command) =>
      command.options.map(
        (option) =>
          `complete -c crawl -n '__fish_seen_subcommand_from ${command.name}' ${words(option)}`,
      ),
    ),
    'complete -c orbweaver -w crawl',
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the lines for the arguments of a command. Without one, fish completes an argument with file names. */
function argumentLines({ name, args }: CommandWords): string[] {
  return args.flatMap((value, at) => {
    const offered = offer(value)
    if (offered === '') return []
    const comparison = at === args.length - 1 ? 'ge' : 'eq'
    return [`complete -c crawl -n '__crawl_is_at ${name} -${comparison} ${at}' -f ${offered}`]
  })
}

/** Functions of the script. The one that counts arguments assumes that options have no values. */
const FUNCTIONS = `function __crawl_is_at
    set -l typed (commandline -opc)
    test (count $typed) -ge 2; and test $typed[2] = $argv[1]; or return 1
    test (count (string match -v -- '-*' $typed[3..-1])) $argv[2] $argv[3]
end
function __crawl_directories
    __fish_complete_directories (commandline -ct | string replace -r -- '^--[a-z-]+=' '')
end
function __crawl_states
    set -l typed (commandline -ct | string replace -r -- '^--[a-z-]+=' '')
    set -l found $typed*/crawl.sqlite
    if test (count $found) -gt 0
        path dirname $found
    else
        __fish_complete_directories $typed
    end
end
function __crawl_jobs
    set -l typed (string split -m 1 = -- (commandline -opc))
    set -l at (contains -i -- --frontier $typed); or return
    crawl job list --frontier $typed[(math $at + 1)] 2>/dev/null | string match -r '^[A-Za-z0-9_.-]+' | string match -v job
end`

function words({ short, long, value, description }: OptionWords): string {
  const letter = short === undefined ? '' : `-s ${short.slice(1)} `
  const values = value === undefined ? '' : ` ${wordsOfValue(value)}`
  return `${letter}-l ${long.slice(2)}${values} -d ${quoted(description)}`
}

/** Returns the flags for a value. Only values that are files are completed with file names. */
function wordsOfValue(value: ValueWords): string {
  return value.kind === 'file' && value.values.length === 0 ? '-r -F' : `-x ${offer(value)}`.trim()
}

function offer({ kind, values }: ValueWords): string {
  // The tab ends an empty description. Without it, fish shows the description of the option beside each value.
  if (values.length > 0) return `-a '${values.map((value) => `${value}\\t`).join(' ')}'`
  if (kind === 'state') return `-a '(__crawl_states)'`
  if (kind === 'job') return `-a '(__crawl_jobs)'`
  return kind === 'directory' ? `-a '(__crawl_directories)'` : ''
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
