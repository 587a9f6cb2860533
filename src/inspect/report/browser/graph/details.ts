import { countOf, formatCount } from '../../../../english-text.ts'
import { createButton, createLink, createSpan, withClass } from '../elements.ts'
import type { Point } from './nodes.ts'

/** Maximum number of pages in a list. */
const MAX_LISTED = 200

const HELP =
  'Choose a page to see what it links to, and what links to it. Drag to move; zoom with the buttons, two fingers, or the wheel once the graph was clicked.'

/** Creates the details of the chosen page, or help on choosing one. */
export function createDetails(point: Point | undefined, onChoose: (point: Point) => void): Node[] {
  if (point === undefined) return [paragraph(createSpan(HELP, 'rest'))]
  const { depth, outcome, tone } = point
  const deep = depth === null ? '' : `, ${countOf(depth, 'link')} deep`
  return [
    paragraph(createLink(point.url)),
    paragraph(createSpan(outcome, `status ${tone}`), deep),
    ...createList('Links to', 'to', point.to, onChoose),
    ...createList('Linked from', 'from', point.from, onChoose),
  ]
}

/** @param direction sets the color of the heading */
function createList(
  title: string,
  direction: 'to' | 'from',
  points: readonly Point[],
  onChoose: (point: Point) => void,
): Node[] {
  if (points.length === 0) return []
  const head = withClass('h3', direction)
  head.append(title, ' ', createSpan(formatCount(points.length), 'total'))
  const list = document.createElement('ul')
  for (const point of points.slice(0, MAX_LISTED)) {
    const item = document.createElement('li')
    const button = createButton(point.url, () => onChoose(point))
    button.className = `more ${point.tone}`
    item.append(button)
    list.append(item)
  }
  const rest = points.length - MAX_LISTED
  return [head, list, ...(rest > 0 ? [createSpan(`and ${formatCount(rest)} more`, 'rest')] : [])]
}

function paragraph(...parts: (Node | string)[]): Node {
  const element = document.createElement('p')
  element.append(...parts)
  return element
}
