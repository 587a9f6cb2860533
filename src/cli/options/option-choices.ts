import { Argument, Option } from 'commander'

/** An option whose values a shell can complete. The command itself refuses other values, with its own message. */
export class ListedOption extends Option {
  readonly values: readonly string[]

  constructor(flags: string, description: string, values: readonly string[]) {
    super(flags, description)
    this.values = values
  }
}

/** An argument whose values a shell can complete. */
export class ListedArgument extends Argument {
  readonly values: readonly string[]

  constructor(name: string, description: string, values: readonly string[]) {
    super(name, description)
    this.values = values
  }
}
