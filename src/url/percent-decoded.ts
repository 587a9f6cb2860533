/** Decodes the percent escapes of a text; returns it unchanged if they are not UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
