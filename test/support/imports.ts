import { posix } from 'node:path'

export interface Import {
  readonly from: string
  /** Path in src, or name of a package. */
  readonly target: string
  readonly isFile: boolean
  readonly typeOnly: boolean
}

/** Texts of files, by their path in src. */
export type Sources = ReadonlyMap<string, string>

// Only names, braces, commas and stars may be between `import` and `from`.
export const STATEMENT =
  /^(?:import|export)\s+(type\s+)?(?:(?:(?!\b(?:import|export)\b)[\w\s{},*$])*?\bfrom\s*)?(['"])([^'"\n]+)\2/gm
const CALL =
  /(typeof\s+)?(?:\b(?:import|require)|\bcreateRequire\([^()]*\))\(\s*(['"])([^'"\n]+)\2/g

/** Returns all imports of files, of own modules and of packages, in any syntax. */
export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(STATEMENT), ...text.matchAll(CALL)]
      .map(([, type, , target = '']) => ({ target, typeOnly: type !== undefined }))
      .filter(({ target }) => !target.startsWith('node:'))
      .map(({ target, typeOnly }) => ({ from, typeOnly, ...resolved(from, target) })),
  )
}

function resolved(from: string, target: string) {
  if (target.startsWith('.')) {
    return { target: posix.join(posix.dirname(from), target), isFile: true }
  }
  return { target: target.split('/', target.startsWith('@') ? 2 : 1).join('/'), isFile: false }
}

/** Returns the files that import themselves, directly or indirectly. */
export function cyclic(imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from)
  // A file that imports nothing, or only such files, is in no cycle.
  for (let before = -1; before !== next.size; ) {
    before = next.size
    for (const [from, targets] of next) {
      if (!targets.some(({ target }) => next.has(target))) next.delete(from)
    }
  }
  const reaches = (from: string, goal: string, met = new Set<string>()): boolean =>
    (next.get(from) ?? []).some(({ target }) => {
      if (target === goal) return true
      if (met.has(target)) return false
      return reaches(target, goal, met.add(target))
    })
  return [...next.keys()].filter((file) => reaches(file, file))
}

/** Returns the folders that contain files or folders; the root is an empty text. */
export function foldersOf(sources: Sources): string[] {
  const folders = new Set<string>()
  for (const path of sources.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      folders.add(path.slice(0, at))
    }
  }
  return ['', ...folders]
}

/** Returns the imports between the files and folders of a folder. */
export function importsIn(folder: string, imports: readonly Import[]): Import[] {
  const start = folder === '' ? '' : `${folder}/`
  const child = (path: string) => {
    return path.startsWith(start) ? path.slice(start.length).split('/', 1)[0] : undefined
  }
  return imports.flatMap((each) => {
    const [from, target] = [child(each.from), child(each.target)]
    if (!each.isFile || from === undefined || target === undefined || from === target) return []
    return [{ ...each, from, target }]
  })
}
