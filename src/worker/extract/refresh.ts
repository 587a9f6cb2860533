/**
 * The URL that a refresh names (the content of `<meta http-equiv=refresh>`, the value of a
 * `Refresh` header): '' when the page is to reload itself, `undefined` when it is no refresh at
 * all. HTML standard, shared declarative refresh steps.
 */
export function refreshUrl(content: string): string | undefined {
  const time = /^[\t\n\f\r ]*[\d.][\d.]*/.exec(content)?.[0]
  if (time === undefined) return undefined
  const rest = content.slice(time.length)
  if (rest === '') return ''
  if (!/^[\t\n\f\r ;,]/.test(rest)) return undefined
  return unquoted(rest.replace(/^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/, ''))
}

function unquoted(text: string): string {
  const label = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(text)?.[0] ?? ''
  if (label === '' && /^u/i.test(text)) return text
  const value = text.slice(label.length)
  const quote = value.charAt(0)
  if (quote !== '"' && quote !== "'") return value
  return value.slice(1).split(quote, 1)[0] ?? ''
}
