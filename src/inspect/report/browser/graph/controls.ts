import { formatCount } from '../../../../english-text.ts'
import { createButton, createSpan, withClass } from '../elements.ts'

const STEP = 1.5
const TONES = { fine: 'OK (2xx)', moved: 'redirect', broken: 'broken' } as const

/** Creates the search field and the legend of colors. */
export function createBar(
  onSearch: (words: readonly string[]) => number | undefined,
  onEnter: () => void,
): HTMLElement {
  const found = createSpan('', 'found')
  found.ariaLive = 'polite'
  const input = document.createElement('input')
  Object.assign(input, { type: 'search', placeholder: 'Search', ariaLabel: 'Search the graph' })
  input.addEventListener('input', () => {
    const count = onSearch(input.value.toLowerCase().split(/\s+/).filter(Boolean))
    const more = count === 0 ? '' : '; Enter shows the next one'
    found.textContent = count === undefined ? '' : `${formatCount(count)} found${more}`
  })
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') onEnter()
  })
  const legend = withClass('div', 'key')
  for (const [tone, meaning] of Object.entries(TONES)) {
    legend.append(withClass('i', tone), meaning)
  }
  const bar = withClass('div', 'bar')
  bar.append(input, found, legend)
  return bar
}

export function createZoomButtons(
  onZoom: (factor: number) => void,
  onAll: () => void,
): HTMLElement {
  const buttons = withClass('div', 'zoom')
  const nearer = createButton('+', () => onZoom(STEP))
  const farther = createButton('−', () => onZoom(1 / STEP))
  nearer.ariaLabel = 'Zoom in'
  farther.ariaLabel = 'Zoom out'
  buttons.append(nearer, farther, createButton('All', onAll))
  return buttons
}
