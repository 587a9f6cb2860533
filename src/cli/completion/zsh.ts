import { type CommandWords, type OptionWords, spellings, type ValueWords } from './command-tree.ts'

/** Returns a script that makes zsh complete the command line. */
export function zshCompletion(program: CommandWords): string {
  const { commands } = program
  const listed = commands.map(
    (command) => `    ${quoted(`${command.name}:${command.description}`)}`,
  )
  const cases = commands.map((command) => `    ${command.name}) _arguments ${specs(command)} ;;`)
  return `#compdef crawl orbweaver
# zsh completion of crawl: crawl completion zsh > "\${fpath[1]}/_crawl"
${FUNCTIONS}
_crawl() {
  local -a commands
  commands=(
${listed.join('\n')}
  )
  if ((CURRENT == 2)) || [[ -z \${words[2]} || -z \${commands[(r)\${words[2]}:*]} ]]; then
    ((CURRENT == 2)) && _describe command commands
    _arguments ${specs(program)}
    return
  fi
  # What follows belongs to the command, which stands in the place of the program then.
  shift words
  ((CURRENT--))
  case \${words[1]} in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _crawl ]; then _crawl "$@"; else compdef _crawl crawl orbweaver; fi
`
}

const FUNCTIONS = `_crawl_states() {
  local -a found
  found=(\${(Q)PREFIX}*/crawl.sqlite(N:h))
  if ((#found)); then compadd -f -- $found; else _path_files -/; fi
}
_crawl_jobs() {
  local server=\${words[\${words[(i)--frontier]} + 1]:-\${\${words[(r)--frontier=*]}#*=}}
  local -a found
  found=(\${\${(f)"$(crawl job list --frontier \${(Q)server} 2>/dev/null)"}[2,-1]%% *})
  compadd -- \${(M)found:#[A-Za-z0-9_.-]##}
}`

const ACTIONS = {
  file: '_files',
  directory: '_files -/',
  state: '_crawl_states',
  job: '_crawl_jobs',
  url: '_urls',
  text: ' ',
} as const

function specs({ options, args }: CommandWords): string {
  const flags = options.flatMap((option) => spellings(option).map((word) => spec(word, option)))
  const others = args.map((value, at) => {
    const place = at === args.length - 1 ? '*' : `${at + 1}`
    return quoted(`${place}:${value.kind}:${action(value)}`)
  })
  return [...flags, ...others].join(' ')
}

function spec(word: string, { value, description }: OptionWords): string {
  const text = description.replace(/[[\]:\\]/g, '\\$&')
  if (value === undefined) return quoted(`${word}[${text}]`)
  // The value follows as the next word, or after `=` behind a long name.
  const equals = word.startsWith('--') ? '=' : ''
  return quoted(`${word}${equals}[${text}]:${value.kind}:${action(value)}`)
}

function action({ kind, values }: ValueWords): string {
  return values.length > 0 ? `(${values.join(' ')})` : ACTIONS[kind]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
