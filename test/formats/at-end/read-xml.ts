import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'

/** An element, and the text in it. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/** The elements of an XML document in their order, by a strict parser; throws when it is malformed. */
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

/** The texts of all elements of a name. */
export function textsOf(file: string, name: string): string[] {
  return readXml(file)
    .filter((element) => element.name === name)
    .map(({ text }) => text)
}
