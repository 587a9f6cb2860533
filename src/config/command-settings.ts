import { type SettingName, settingsIn } from './schema.ts'

/** Settings of the command alone, which writes files, keeps crawls and shares them. The library refuses them. */
export const COMMAND_SETTINGS: ReadonlySet<string> = new Set<SettingName>([
  ...settingsIn('Output'),
  ...settingsIn('Cluster'),
  'metrics',
])
