import { Option } from 'commander'
import {
  choicesOf,
  defaultOf,
  itemChoicesOf,
  type SettingGroup,
  type SettingName,
  settingsIn,
  traitsOf,
  valueKindOf,
} from '../../config/schema.ts'
import { ListedOption } from './option-choices.ts'

/** Differences of an option from the same option of `crawl`. */
interface OptionVariant {
  /** Help, if that of `crawl` is about something else. */
  readonly help?: string
  /** The default in words. */
  readonly defaultText?: string
  /** Help of the option that turns the setting off, if it is on by default. */
  readonly turnsOff?: string
}
export type OptionVariants = Readonly<Partial<Record<SettingName, OptionVariant>>>

/** Splits a text at its commas. */
export const splitAtCommas = (value: string) => value.split(',').map((name) => name.trim())
/** Adds the value of an option to the values before it. */
export const appendValue = (value: string, before: readonly string[] = []) => [...before, value]

/** Returns the options of the settings in a group, with their defaults in the help. */
export function optionsOf(group: SettingGroup, variants: OptionVariants = {}): Option[] {
  return settingsIn(group).flatMap((name) => optionsOfSetting(name, variants[name] ?? {}))
}

function optionsOfSetting(name: SettingName, variant: OptionVariant): Option[] {
  const { flag, flagHelp, help, list, separator } = traitsOf(name)
  const { turnsOff, defaultText } = variant
  if (flag === undefined) return []
  // Also accept the option that turns the setting on, although that is the default.
  if (turnsOff !== undefined) {
    return [new Option(flag).hideHelp(), new Option(flag.replace('--', '--no-'), turnsOff)]
  }
  const notes = notesOn(name, defaultText)
  const option = new ListedOption(
    flag,
    (variant.help ?? flagHelp ?? help) + notes,
    listedValuesOf(name),
  )
  if (list === 'commas') option.argParser(splitAtCommas)
  if (list === 'repeated' || separator !== undefined) option.argParser(appendValue)
  if (valueKindOf(name) !== 'boolean') return [option]
  // The opposite of a switch overrides a config file. The positive one comes first: otherwise it would be the default.
  const opposite = new Option(oppositeOf(option.long ?? flag)).hideHelp()
  return option.negate ? [opposite, option] : [option, opposite]
}

function oppositeOf(flag: string): string {
  return flag.startsWith('--no-') ? flag.replace('--no-', '--') : flag.replace('--', '--no-')
}

/** Returns notes for the help: choices, whether the option is repeatable, and the default. */
function notesOn(name: SettingName, defaultText = defaultTextOf(name)): string {
  const { list, separator } = traitsOf(name)
  const choices = choicesOf(name)
  const words = wordsOf(name)
  const notes = [
    ...(choices.length > 0 ? [choices.join(', ')] : []),
    ...(words.length > 0 ? [`or ${words.join(', ')}`] : []),
    ...(list === 'commas' ? ['separated by commas'] : []),
    ...(list === 'repeated' || separator !== undefined ? ['repeatable'] : []),
    ...(defaultText === undefined ? [] : [`default: ${defaultText}`]),
  ]
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`
}

function listedValuesOf(name: SettingName): readonly string[] {
  const { someItems = [] } = traitsOf(name)
  return [...choicesOf(name), ...itemChoicesOf(name), ...someItems, ...wordsOf(name)]
}

function wordsOf(name: SettingName): readonly string[] {
  return Object.keys(traitsOf(name).words ?? {})
}

function defaultTextOf(name: SettingName): string | undefined {
  const value = traitsOf(name).defaultText ?? defaultOf(name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
