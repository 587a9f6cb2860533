import { type CommandWords, spellings, type ValueWords } from './command-tree.ts'

/** Returns a script that makes bash complete the command line. */
export function bashCompletion(program: CommandWords): string {
  const { commands } = program
  const names = commands.map(({ name }) => name).join(' ')
  const cases = [...commands, program].map((command) => caseOf(command, program))
  return `# bash completion of crawl: source <(crawl completion bash)
${FUNCTIONS}
_crawl() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' previous='' position=0 at word
  local kind='' values='' options='' withValue='' isValue='' glued=''
  local -a typed=()
  COMPREPLY=()
  _crawl_typed
  current=\${typed[\${#typed[@]} - 1]}
  previous=\${typed[\${#typed[@]} - 2]}
  case " ${names} " in
    *" \${typed[1]} "*) ((\${#typed[@]} > 2)) && command=\${typed[1]} ;;
  esac
  case $command in
${cases.join('\n')}
  esac
  if [[ -z $kind ]]; then
    _crawl_position
    case $command:$position in
${[...commands, program].flatMap((command) => positionsOf(command, program)).join('\n')}
    esac
    [[ $current == -* ]] && kind='' values=$options
    [[ -z $command && \${#typed[@]} -eq 2 && $current != -* ]] && values='${names}'
  fi
  _crawl_offer
}
complete -o filenames -F _crawl crawl orbweaver
`
}

/**
 * Functions of the script. Readline splits words at the colons of URLs and at the `=` between an option and its value,
 * unless the user has set COMP_WORDBREAKS. The names of jobs come from a server, so the shell must not expand them.
 */
const FUNCTIONS = `_crawl_typed() {
  local isJoined='' last=''
  for ((at = 0; at <= COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    last=''
    ((\${#typed[@]})) && last=\${typed[\${#typed[@]} - 1]}
    if [[ $word == = && $last == --* && -z $isValue ]]; then
      isValue=1
      ((at == COMP_CWORD)) && typed+=('')
      continue
    elif [[ $word == [:=] || -n $isJoined ]]; then typed[\${#typed[@]} - 1]+=$word
    elif [[ $word == --*=* ]]; then
      typed+=("\${word%%=*}" "\${word#*=}")
      ((at == COMP_CWORD)) && glued=\${word%%=*}=
    else typed+=("$word"); fi
    isJoined='' isValue=''
    [[ $word == [:=] ]] && isJoined=1
  done
}
_crawl_position() {
  for ((at = \${#command} ? 2 : 1; at < \${#typed[@]} - 1; at++)); do
    word=\${typed[at]}
    if [[ $word != -* ]]; then ((position++))
    elif [[ " $withValue " == *" $word "* ]]; then ((at++)); fi
  done
}
_crawl_jobs() {
  for ((at = 1; at < \${#typed[@]} - 1; at++)); do
    [[ \${typed[at]} == --frontier ]] && crawl job list --frontier "\${typed[at + 1]}" 2>/dev/null
  done | while read -r word _; do
    [[ $word != job && $word =~ ^[A-Za-z0-9_.-]+$ ]] && echo "$word"
  done
}
_crawl_offer() {
  local -a found=()
  local before=''
  [[ $current == *,* ]] && before=\${current%,*},
  for word in $values; do [[ $before$word == "$current"* ]] && COMPREPLY+=("$before$word"); done
  case $kind in
    job) while read -r word; do [[ $word == "$current"* ]] && COMPREPLY+=("$word"); done < <(_crawl_jobs) ;;
    file) while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current") ;;
    directory | state)
      while IFS= read -r word; do
        COMPREPLY+=("$word")
        [[ $kind == state && -e $word/crawl.sqlite ]] && found+=("$word")
      done < <(compgen -d -- "$current")
      ((\${#found[@]})) && COMPREPLY=("\${found[@]}")
      ;;
  esac
  # Readline replaces only what follows the last colon.
  [[ $current == *:* && -z $kind ]] && COMPREPLY=()
  [[ -n $glued ]] && COMPREPLY=("\${COMPREPLY[@]/#/$glued}")
}`

/** Returns a case that sets the options of a command, and the values of the option before the cursor. */
function caseOf(command: CommandWords, program: CommandWords): string {
  const { options } = command
  const valued = options.filter(({ value }) => value !== undefined)
  const byValue = Map.groupBy(valued, ({ value }) => assignment(value))
  const cases = [...byValue].map(
    ([text, group]) => `        ${group.flatMap(spellings).join('|')}) ${text} ;;`,
  )
  return `    ${command === program ? "''" : command.name})
      options='${options.flatMap(spellings).join(' ')}'
      withValue='${valued.flatMap(spellings).join(' ')}'
      case $previous in
${[...cases, '        *) ;;'].join('\n')}
      esac
      ;;`
}

/** Returns cases that set the possible values of the argument at each position. */
function positionsOf(command: CommandWords, program: CommandWords): string[] {
  const name = command === program ? '' : command.name
  return command.args.map((value, position) => {
    const isLast = position === command.args.length - 1
    return `      ${name}:${isLast ? '*' : position}) ${assignment(value)} ;;`
  })
}

function assignment(value: ValueWords | undefined): string {
  return `kind=${value?.kind ?? ''} values='${value?.values.join(' ') ?? ''}'`
}
