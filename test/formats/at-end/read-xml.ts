import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'

/** An element and its text. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/**
 * Returns the elements of an XML document in order, read by a strict parser.
 * @throws Error if the document is malformed
 */
export function readXml(file: string): XmlElement[] {
  const elements: XmlElement[] = []
  const open: XmlElement[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' }
    elements.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    for (const element of open.slice(-1)) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(readFileSync(file, 'utf8')).close()
  return elements
}

/** Returns the texts of all elements with this name. */
export function textsOf(file: string, name: string): string[] {
  return readXml(file)
    .filter((element) => element.name === name)
    .map(({ text }) => text)
}
