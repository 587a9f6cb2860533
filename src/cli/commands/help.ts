import type { Command } from 'commander'
import { nameSuggestion } from '../../near-name.ts'

/** Configures `crawl help [command]`. */
export function configureHelp(command: Command): void {
  command
    .argument('[command]', 'the command to explain; without it, all commands are listed')
    .action((name?: string) => {
      const program = command.parent ?? command
      const all = [program, ...program.commands]
      const found = all.find((each) => each.name() === (name ?? program.name()))
      if (found !== undefined) return found.help()
      const names = program.commands.map((each) => each.name())
      const expected = `one of ${names.join(', ')}${nameSuggestion(name ?? '', names)}`
      return program.error(`help: expected ${expected}, got \`${name}\``)
    })
}
