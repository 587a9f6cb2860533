import { headerText } from '../encoding/header-text.ts'
import type { ResponseHeaders } from '../fetch/fetcher.ts'

/**
 * Adds headers of a response to the data of its record. Fields of the same name that the data already has stay.
 * @param names names in lower case
 * @param dataJson JSON of an object, which may be nested too deeply to be encoded again
 */
export function withHeaders(
  names: readonly string[],
  headers: ResponseHeaders,
  dataJson: string | undefined,
): string | undefined {
  const data: object = dataJson === undefined ? {} : JSON.parse(dataJson)
  const received = names.flatMap((name) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined
    return value === undefined || Object.hasOwn(data, name) ? [] : [[name, fieldValue(name, value)]]
  })
  if (received.length === 0) return dataJson
  const json = JSON.stringify(Object.fromEntries(received))
  return Object.keys(data).length === 0 ? json : `${json.slice(0, -1)},${dataJson?.slice(1)}`
}

/** Lines of one header are one list (RFC 9110, 5.3), except for cookies, whose dates have commas. */
function fieldValue(name: string, value: string | string[]): string | string[] {
  const lines = [value].flat().map(headerText)
  return name === 'set-cookie' ? lines : lines.join(', ')
}
