import * as v from 'valibot'

/**
 * Sources that a setting is accepted from: `any` source; `given` by the user only; or, for a file
 * name, `inside` the working directory unless the user gave it. The user gives flags, and config
 * files named by `--config`. A config file found in the working directory may be a stranger's, and
 * so may a `--state` directory.
 */
export type Trust = 'any' | 'inside' | 'given'

/**
 * The aspect that a setting decides, and so where it has to agree. A resumed crawl keeps its URLs,
 * records, seen set and files. The processes of a job share URLs, records, seen set and politeness.
 * `run` belongs to one process.
 */
export type Decides = 'urls' | 'records' | 'seen' | 'files' | 'politeness' | 'run'

/** Properties of a setting other than its values. */
export interface SettingTraits {
  /** Flag in commander's syntax: `-d, --depth <n>`. Absent where only a config file can set it. */
  readonly flag?: string
  /** One line of help, without the default. */
  readonly help: string
  /** Help of the flag, where the flag turns off what the setting turns on. */
  readonly flagHelp?: string
  readonly trust: Trust
  readonly decides: Decides
  /** Sent to fetch workers. */
  readonly worker?: true
  /** Syntax of a list: separated by commas, or one flag per item. */
  readonly list?: 'commas' | 'repeated'
  /** Some of the items that a list may have, for completion in shells. */
  readonly someItems?: readonly string[]
  /** Words that can stand for a number. */
  readonly words?: Readonly<Record<string, number>>
  /** Separator of name and value in a flag that is repeated for each entry of an object. */
  readonly separator?: '=' | ':'
  /** Flags that other programs have for it: whoever types one is shown this one. */
  readonly otherNames?: readonly string[]
  /** Values may be secrets, so messages don't show them. */
  readonly isSecret?: true
  /** The default in words, where it depends on the machine or on other settings. */
  readonly defaultText?: string
}

/** The schema of a setting's values, with its traits. */
export type Setting<T extends SettingTraits, S extends v.GenericSchema> = v.SchemaWithPipe<
  readonly [S, v.DescriptionAction<v.InferOutput<S>, string>]
> & { readonly traits: T }

/** Attaches the traits of a setting to the schema of its values. */
export function setting<const T extends SettingTraits, const S extends v.GenericSchema>(
  traits: T,
  schema: S,
): Setting<T, S> {
  return Object.assign(v.pipe(schema, v.description(traits.help)), { traits })
}
