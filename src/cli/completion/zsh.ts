import type { CommandWords, OptionWords } from './command-tree.ts'

/** Returns a script that makes zsh complete the command line. */
export function zshCompletion(program: CommandWords): string {
  const { name, commands } = program
  const listed = commands.map(
    (command) => `    ${quoted(`${command.name}:${command.description}`)}`,
  )
  const cases = commands.map((command) => `    ${command.name}) _arguments ${specs(command)} ;;`)
  return `#compdef ${name}
# zsh completion of ${name}: ${name} completion zsh > "\${fpath[1]}/_${name}"
_${name}() {
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
if [ "$funcstack[1]" = _${name} ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

const ACTIONS = { file: '_files', directory: '_files -/', text: ' ' } as const

function specs({ options, choices, takesUrls }: CommandWords): string {
  const flags = options.flatMap((option) => [option.short, option.long].flatMap(spec(option)))
  const first = choices.length === 0 ? [] : [quoted(`1:argument:(${choices.join(' ')})`)]
  const others = quoted(takesUrls ? '*:URL:_urls' : '*:file:_files')
  return [...flags, ...first, others].join(' ')
}

function spec({ value, description }: OptionWords) {
  const text = description.replace(/[[\]:\\]/g, '\\$&')
  const argument = value === undefined ? '' : `:${value}:${ACTIONS[value]}`
  return (word: string | undefined) =>
    word === undefined ? [] : [quoted(`${word}[${text}]${argument}`)]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
