/**
 * Returns the keys under which a seen set stores URLs. In each generation, all URLs are new again. URLs of generation 0
 * are their own keys.
 */
export function seenKeys(urls: readonly string[], generation: number): readonly string[] {
  return generation === 0 ? urls : urls.map((url) => `${generation} ${url}`)
}
