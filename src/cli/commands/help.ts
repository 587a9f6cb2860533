import type { Command } from 'commander'
import { nearName } from '../../near-name.ts'

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
      const near = nearName(name ?? '', names)
      const advice = near === undefined ? '' : `; did you mean ${near}?`
      return program.error(`help: expected one of ${names.join(', ')}, got \`${name}\`${advice}`)
    })
}
