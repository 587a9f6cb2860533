import type { CommandWords, OptionWords } from './command-tree.ts'

/** A script that teaches zsh the command line. */
export function zshCompletion(program: CommandWords): string {
  const { name, commands } = program
  const listed = commands.map(
    (command) => `    ${quoted(`${command.name}:${command.description}`)}`,
  )
  const cases = commands.map(
    (command) => `    ${command.name}) _arguments ${specs(command)} '*:: :_files' ;;`,
  )
  return `#compdef ${name}
# zsh completion of ${name}: ${name} completion zsh > "\${fpath[1]}/_${name}"
_${name}() {
  local -a commands
  commands=(
${listed.join('\n')}
  )
  case \${words[2]} in
${cases.join('\n')}
    *)
      ((CURRENT == 2)) && _describe command commands
      _arguments ${specs(program)} '*:URL:_urls'
      ;;
  esac
}
if [ "$funcstack[1]" = _${name} ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

const ACTIONS = { file: '_files', directory: '_files -/', text: ' ' } as const

function specs({ options }: CommandWords): string {
  return options.flatMap((option) => [option.short, option.long].flatMap(spec(option))).join(' ')
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
