import * as v from 'valibot'

/**
 * Sources from which a setting is accepted: `any` source, or only if it was `given` by the user. With
 * `inside`, file names from other sources must be inside the working directory. The user gives flags,
 * and config files named by `--config`. A config file that was found in the working directory may be a
 * stranger's, and so may a `--state` directory.
 */
export type Trust = 'any' | 'inside' | 'given'

/**
 * The aspect of a crawl that a setting decides. A resumed crawl must keep the settings of its URLs,
 * records, seen set and files. The processes of a job must have the same settings of URLs, records,
 * seen set and politeness. Settings of a `run` concern a single process.
 */
export type Decides = 'urls' | 'records' | 'seen' | 'files' | 'politeness' | 'run'

/** Properties of a setting other than its values. */
export interface SettingTraits {
  /** Flag in commander's syntax: `-d, --depth <n>`. Absent if only a config file can set it. */
  readonly flag?: string
  /** One line of help, without the default. */
  readonly help: string
  /** Help of the flag, if the flag turns the setting off. */
  readonly flagHelp?: string
  readonly trust: Trust
  readonly decides: Decides
  /** True if fetch workers receive the setting. */
  readonly worker?: true
  /** Syntax of a list: separated by commas, or one flag per item. */
  readonly list?: 'commas' | 'repeated'
  /** Some of the items that a list may have, for completion in shells. */
  readonly someItems?: readonly string[]
  /** Words that can stand for a number. */
  readonly words?: Readonly<Record<string, number>>
  /** Separator of name and value in a flag that is repeated for each entry of an object. */
  readonly separator?: '=' | ':'
  /** Names of this flag in other programs. If a user types one, the error message suggests this flag. */
  readonly otherNames?: readonly string[]
  /** True if values may be secrets. Messages don't show them. */
  readonly isSecret?: true
  /** The default in words, if it depends on the machine or on other settings. */
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
