import type { CommandWords, OptionWords } from './command-tree.ts'

/** Returns a script that makes fish complete the command line. */
export function fishCompletion(program: CommandWords): string {
  const { name, commands, options } = program
  const names = commands.map((command) => command.name).join(' ')
  const none = `-n 'not __fish_seen_subcommand_from ${names}'`
  const lines = [
    `# fish completion of ${name}: ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    ...commands.map(
      (command) =>
        `complete -c ${name} -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.description)}`,
    ),
    ...options.map((option) => `complete -c ${name} ${none} ${words(option)}`),
    ...commands
      .filter(({ choices }) => choices.length > 0)
      .map(
        (command) =>
          `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name}' -f -a '${command.choices.join(' ')}'`,
      ),
    ...commands.flatMap((command) =>
      command.options.map(
        (option) =>
          `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name}' ${words(option)}`,
      ),
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** Values that are not files are not completed with file names. */
const VALUES = { file: ' -r -F', directory: ' -r -F', text: ' -x' } as const

function words({ short, long, value, description }: OptionWords): string {
  const letter = short === undefined ? '' : `-s ${short.slice(1)} `
  const argument = value === undefined ? '' : VALUES[value]
  return `${letter}-l ${long.slice(2)}${argument} -d ${quoted(description)}`
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
