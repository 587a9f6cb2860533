import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CrawlerError, messageOf } from '../../errors.ts'
import { nameSuggestion } from '../../near-name.ts'
import type { Hooks } from './hooks.ts'

const NAMES = ['onPage', 'shouldFollow'] as const

/**
 * Imports a module of hooks.
 * @param name path from the current directory, or a file: URL
 * @throws CrawlerError('usage') when it can't be imported, or exports no hook
 */
export async function loadHooks(name: string): Promise<Hooks> {
  const url = name.startsWith('file:') ? name : pathToFileURL(resolve(name)).href
  const module: Record<string, unknown> = await imported(url).catch((error: unknown) => {
    const reason = messageOf(error).replace(/ imported from .*/s, '')
    throw new CrawlerError('usage', `hooks: cannot import ${name}: ${reason}`)
  })
  const hooks = { ...partsOfDefault(module), ...module }
  const found = NAMES.filter((hook) => hooks[hook] !== undefined)
  if (found.length === 0 || found.some((hook) => typeof hooks[hook] !== 'function')) {
    const exported = Object.keys(hooks)
    const meant =
      found.length > 0 ? '' : exported.map((each) => nameSuggestion(each, NAMES)).join('')
    const message = `hooks: expected a module that exports the functions ${NAMES.join(' or ')}, but ${name} exports ${exported.join(', ') || 'nothing'}${meant}`
    throw new CrawlerError('usage', message)
  }
  return hooks
}

/** Returns the properties of the default export. Of a CommonJS module, Node may find no other exports. */
function partsOfDefault({ default: whole }: Record<string, unknown>): Record<string, unknown> {
  return typeof whole === 'object' ? { ...whole } : {}
}

/** Imports a module. Rejects if the module waits for a promise that nothing can resolve: Node would end the thread. */
async function imported(url: string): Promise<Record<string, unknown>> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new Error('a top-level await never resolves'))
  process.once('beforeExit', stop)
  try {
    return await Promise.race([import(url), promise])
  } finally {
    process.off('beforeExit', stop)
  }
}
