/** The link types that a `rel` attribute holds, lower case. */
export function linkTypes(rel: string | undefined): string[] {
  return (rel ?? '').toLowerCase().split(/[\t\n\f\r ]+/)
}
