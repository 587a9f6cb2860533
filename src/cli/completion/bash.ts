import type { CommandWords, OptionWords } from './command-tree.ts'

/** Returns a script that makes bash complete the command line. */
export function bashCompletion(program: CommandWords): string {
  const { name } = program
  const names = program.commands.map((command) => command.name)
  const cases = [...program.commands, program].map(
    (command) =>
      `    ${command === program ? '*' : command.name}) words='${command.options.flatMap(spellings).join(' ')}' ;;`,
  )
  const every = [...program.commands, program].flatMap(({ options }) => options)
  const withFiles = every.filter(({ value }) => value === 'file' || value === 'directory')
  const withText = every.filter(({ value }) => value === 'text')
  const firsts = program.commands
    .filter(({ choices }) => choices.length > 0)
    .map(({ name, choices }) => `    ${name}) words+=' ${choices.join(' ')}' ;;`)
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words
  COMPREPLY=()
  case $previous in
    ${patternOf(withFiles)}) COMPREPLY=($(compgen -f -- "$current")); return ;;
    ${patternOf(withText)}) return ;;
  esac
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  ((COMP_CWORD == 2)) && case \${COMP_WORDS[1]} in
${firsts.join('\n')}
  esac
  ((COMP_CWORD == 1)) && words+=' ${names.join(' ')}'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  ((\${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _${name} ${name}
`
}

function patternOf(options: readonly OptionWords[]): string {
  return [...new Set(options.flatMap(spellings))].join('|')
}

function spellings({ short, long }: OptionWords): string[] {
  return short === undefined ? [long] : [short, long]
}
