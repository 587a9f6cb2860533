import * as v from 'valibot'
import { CrawlerError } from '../errors.ts'
import { configError, type SettingsSource } from './describe-config-errors.ts'
import { oneProxy } from './proxies.ts'
import { type Config, type ConfigInput, configSchema, type ParsedSettings } from './schema.ts'

/** Requests in flight per worker, unless --per-host needs more. */
const MIN_CONCURRENCY = 16

/**
 * Validates `input` and fills in defaults.
 * @throws CrawlerError('usage') with a line for every problem
 */
export function resolveConfig(input: unknown, source: SettingsSource = 'program'): Config {
  const result = v.safeParse(configSchema, input)
  if (!result.success) throw configError(source, result.issues)
  const { $schema: _, ...settings } = result.output
  if (settings.interact && settings.render === 'never') {
    throw new CrawlerError('usage', '--interact: expected --render auto or --render always with it')
  }
  const concurrency = settings.concurrency ?? defaultConcurrency(settings)
  const proxies = oneProxy(settings.proxy, settings.noProxy)
  const given = { seedsMayBePrivate: true, repeatedSeeds: 0, dryRun: false }
  return { ...settings, ...given, concurrency, proxies }
}

/** Returns the requests in flight per worker with which all workers together can fill `--per-host` for a host. */
function defaultConcurrency({ perHost, workers }: ParsedSettings): number {
  return Math.max(MIN_CONCURRENCY, Math.ceil(perHost / workers))
}

/**
 * Merges settings: flags override the config file, and both override the defaults.
 * @throws CrawlerError('usage') with a line for every problem of the file and the flags
 */
export function mergeConfig(file: object, fileName: string, flags: ConfigInput): Config {
  const problemsInFile = problemsIn(file, { file: fileName })
  try {
    // The merged settings lack values of the file that flags replace. So they may be valid although the file isn't.
    const config = resolveConfig({ ...file, ...flags }, 'flags')
    if (problemsInFile === undefined) return config
  } catch (error) {
    const errors = [problemsInFile, problemsIn(flags, 'flags')].filter((text) => text !== undefined)
    if (errors.length === 0) throw error
    throw new CrawlerError('usage', errors.join('\n'))
  }
  throw new CrawlerError('usage', problemsInFile)
}

function problemsIn(input: unknown, source: SettingsSource): string | undefined {
  try {
    resolveConfig(input, source)
    return undefined
  } catch (error) {
    if (error instanceof CrawlerError) return error.message
    throw error
  }
}
