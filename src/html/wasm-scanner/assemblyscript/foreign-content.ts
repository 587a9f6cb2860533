import {
  MAX_OPEN_ELEMENTS,
  OPEN_ELEMENT_HASH,
  OPEN_ELEMENT_IS_MATH,
  OPEN_ELEMENT_IS_POINT,
  OPEN_ELEMENT_NAME_END,
  OPEN_ELEMENT_NAME_START,
  OPEN_ELEMENT_TAG,
  OPEN_ELEMENT_WORDS,
  OPEN_ELEMENTS_AT,
  TAG_ANNOTATION_XML,
  TAG_FOREIGNOBJECT,
  TAG_MATH,
  TAG_SVG,
  TAG_TRAIT_CLOSER,
  TAG_TRAIT_MATH_POINT,
  TAG_TRAIT_SVG_POINT,
} from './generated/constants.ts'
import { hashOfName, isSameName, traitsOf } from './names.ts'

/*
 * Tracks roughly where SVG and MathML begin and end. Inside them, `<title>`, `<style>` and `<script>` don't contain raw
 * text, and CDATA sections exist. The result is exact for elements that are closed properly. HTML elements inside
 * integration points are not tracked.
 */

/** True if any SVG or MathML element is open. */
export let isOpen: bool = false
/** True if the next start tag is SVG or MathML, too. False in an integration point. */
export let isForeign: bool = false
export let allowsCdata: bool = false

let depth: i32 = 0
/** Number of open elements that are too deep to be kept. */
let beyond: i32 = 0

export function leaveForeignContent(): void {
  beyond = 0
  closeFrom(0)
}

/** @param holdsHtml whether an attribute of the tag makes it an integration point, as with `<annotation-xml>` */
export function pushForeign(nameStart: i32, nameEnd: i32, tag: i32, holdsHtml: bool): void {
  const parent = depth - 1
  const beginsAnew =
    tag === TAG_SVG && parent >= 0 && fieldOf(parent, OPEN_ELEMENT_TAG) === TAG_ANNOTATION_XML
  const inherits = isForeign && !beginsAnew
  const isMath = inherits ? fieldOf(parent, OPEN_ELEMENT_IS_MATH) !== 0 : tag === TAG_MATH
  const trait = isMath ? TAG_TRAIT_MATH_POINT : TAG_TRAIT_SVG_POINT
  const isPoint = (holdsHtml && isMath) || (traitsOf(tag) & trait) !== 0
  if (depth < MAX_OPEN_ELEMENTS) {
    setField(depth, OPEN_ELEMENT_NAME_START, nameStart)
    setField(depth, OPEN_ELEMENT_NAME_END, nameEnd)
    setField(depth, OPEN_ELEMENT_HASH, hashOfName(nameStart, nameEnd))
    setField(depth, OPEN_ELEMENT_TAG, tag)
    setField(depth, OPEN_ELEMENT_IS_MATH, i32(isMath))
    setField(depth, OPEN_ELEMENT_IS_POINT, i32(isPoint))
    depth++
  } else beyond++
  update()
}

/** Closes all elements inside the innermost integration point, before an HTML tag that can't be in SVG or MathML. */
export function breakOut(): void {
  beyond = 0
  let at = depth
  while (at > 0 && fieldOf(at - 1, OPEN_ELEMENT_IS_POINT) === 0) at--
  closeFrom(at)
}

export function endForeign(nameStart: i32, nameEnd: i32, tag: i32): void {
  if (beyond > 0) {
    beyond--
    return
  }
  const at = lastOpen(nameStart, nameEnd)
  if (at >= 0) closeFrom(at)
  else if ((traitsOf(tag) & TAG_TRAIT_CLOSER) !== 0) breakOut()
}

/** Returns the innermost open element with that name; -1 if there is none. */
function lastOpen(nameStart: i32, nameEnd: i32): i32 {
  const hash = hashOfName(nameStart, nameEnd)
  let at = depth - 1
  while (at >= 0 && !(fieldOf(at, OPEN_ELEMENT_HASH) === hash && hasName(at, nameStart, nameEnd)))
    at--
  return at
}

function hasName(element: i32, nameStart: i32, nameEnd: i32): bool {
  const start = fieldOf(element, OPEN_ELEMENT_NAME_START)
  const length = fieldOf(element, OPEN_ELEMENT_NAME_END) - start
  return length === nameEnd - nameStart && isSameName(start, nameStart, length)
}

function closeFrom(newDepth: i32): void {
  depth = newDepth
  update()
}

function update(): void {
  const top = depth - 1
  isOpen = top >= 0
  isForeign = isOpen && fieldOf(top, OPEN_ELEMENT_IS_POINT) === 0
  const tag = isOpen ? fieldOf(top, OPEN_ELEMENT_TAG) : TAG_FOREIGNOBJECT
  allowsCdata = tag !== TAG_FOREIGNOBJECT && tag !== TAG_ANNOTATION_XML
}

function fieldOf(element: i32, field: i32): i32 {
  return load<i32>(placeOf(element, field))
}

function setField(element: i32, field: i32, value: i32): void {
  store<i32>(placeOf(element, field), value)
}

function placeOf(element: i32, field: i32): usize {
  assert(element >= 0 && element < MAX_OPEN_ELEMENTS)
  return OPEN_ELEMENTS_AT + ((element * OPEN_ELEMENT_WORDS + field) << 2)
}
