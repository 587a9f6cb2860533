import { parseBoundedJson } from '../../bounded-json.ts'
import { isModuleUrl } from './script-urls.ts'

/** A value of JSON whose parts may have any type. */
type Json = Readonly<Record<string, unknown>>

/**
 * Returns the URLs of the modules in an import map (HTML standard, "import maps"). Those that end in a slash stand for
 * folders and are left out. Never throws.
 */
export function importMapUrls(json: string): string[] {
  const { imports, scopes } = asObject(parsed(json))
  return [imports, ...Object.values(asObject(scopes))]
    .flatMap((modules) => Object.values(asObject(modules)))
    .filter(isString)
    .filter((url) => isModuleUrl(url) && !url.endsWith('/'))
}

/** Returns the images of a web app manifest: its icons and screenshots, and the icons of its shortcuts. Never throws. */
export function manifestImages(json: string): string[] {
  const manifest = asObject(parsed(json))
  const shortcuts = asList(manifest['shortcuts']).flatMap((shortcut) => asList(shortcut['icons']))
  return [...asList(manifest['icons']), ...asList(manifest['screenshots']), ...shortcuts]
    .map((image) => image['src'])
    .filter(isString)
}

function parsed(json: string): unknown {
  try {
    return parseBoundedJson(json)
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
