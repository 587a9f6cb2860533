import * as v from 'valibot'

/**
 * Where a setting may come from: `any` source; `given` by the user only; or, for the name of a file, `inside` the
 * working directory unless the user gave it. The user gives flags, and config files that `--config` names. A config
 * file that was found in the working directory may be a stranger's, and so may a `--state` directory.
 */
export type Trust = 'any' | 'inside' | 'given'

/**
 * What a setting decides, and so who has to agree on it. A resumed crawl keeps its URLs, records, seen set and
 * files. The processes of a job share URLs, records, seen set and politeness. `run` belongs to one process.
 */
export type Decides = 'urls' | 'records' | 'seen' | 'files' | 'politeness' | 'run'

/** What is known of a setting beside the values that it takes. */
export interface SettingTraits {
  /** Its flag, as commander writes it: `-d, --depth <n>`. Absent where only a config file may say it. */
  readonly flag?: string
  /** One line of help, without the default. */
  readonly help: string
  /** What the flag does, where it turns off what the setting turns on. */
  readonly flagHelp?: string
  readonly trust: Trust
  readonly decides: Decides
  /** Fetch workers receive it. */
  readonly worker?: true
  /** How a list is typed: separated by commas, or one flag for each item. */
  readonly list?: 'commas' | 'repeated'
  /** What separates name and value in a flag that is given once for each entry of an object. */
  readonly separator?: '=' | ':'
  /** Messages do not show its values: they may be secrets. */
  readonly isSecret?: true
  /** The default in words, where it depends on the machine or on other settings. */
  readonly defaultText?: string
}

/** Joins a schema of values and what else is known of the setting. */
export function setting<const T extends SettingTraits, const S extends v.GenericSchema>(
  traits: T,
  schema: S,
) {
  return Object.assign(v.pipe(schema, v.description(traits.help)), { traits })
}
