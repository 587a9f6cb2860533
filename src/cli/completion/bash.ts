import type { CommandWords } from './command-tree.ts'

/** A script that teaches bash the command line. */
export function bashCompletion(program: CommandWords): string {
  const { name } = program
  const names = program.commands.map((command) => command.name)
  const cases = [...program.commands, program].map(
    (command) =>
      `    ${command === program ? '*' : command.name}) words='${command.options.flatMap(spellings).join(' ')}' ;;`,
  )
  const filed = [...program.commands, program].flatMap(({ options }) =>
    options.filter(({ value }) => value === 'file' || value === 'directory').flatMap(spellings),
  )
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words
  COMPREPLY=()
  case $previous in
    ${[...new Set(filed)].join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  ((COMP_CWORD == 1)) && words+=' ${names.join(' ')}'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  ((\${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _${name} ${name}
`
}

function spellings({ short, long }: { readonly short?: string; readonly long: string }): string[] {
  return short === undefined ? [long] : [short, long]
}
