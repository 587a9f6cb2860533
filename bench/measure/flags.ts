import { parseArgs } from 'node:util'

/** A number for each flag with a number as its default, and a boolean for each switch. */
type Flags<Defaults> = {
  readonly [Name in keyof Defaults]: Defaults[Name] extends number ? number : boolean
}

/** Parses flags such as `--pages 100`, each with its default, and switches such as `--redis`, which are `false`. */
export function parseFlags<Defaults extends Readonly<Record<string, number | false>>>(
  defaults: Defaults,
  allowPositionals = false,
): Flags<Defaults> & { readonly positionals: readonly string[] } {
  const options = Object.entries(defaults).map(([name, value]) => [
    name,
    value === false ? { type: 'boolean', default: value } : { type: 'string', default: `${value}` },
  ])
  const parsed = parseArgs({ options: Object.fromEntries(options), allowPositionals })
  const flags = Object.entries(parsed.values).map(([name, value]) => [
    name,
    typeof value === 'string' ? Number(value) : value,
  ])
  return { ...Object.fromEntries(flags), positionals: parsed.positionals }
}
