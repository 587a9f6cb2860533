import { endOfAttributeName, endOfUnquoted, indexOf, isSpace, skipSpace } from './find.ts'
import {
  ATTRIBUTE_END,
  ATTRIBUTE_START,
  ATTRIBUTE_WORDS,
  ATTRIBUTES_AT,
  ATTRIBUTES_SIZE,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  MAX_VALUE,
  SINGLE_QUOTE,
  SLASH,
  UNKNOWN_NAME,
} from './generated/constants.ts'
import { attributeNamed, mayBeAttribute } from './names.ts'
import { byteAt, end } from './page-bytes.ts'

/** True if the tag that was read last ends in `/>`. */
export let selfClosing: bool = false

/** One bit for each attribute that the tag has, by its number. */
let present: u32 = 0

/** Reads the tag whose name ends at `from`. Returns the index after its `>`; -1 if the page ends before. */
export function readTag(from: i32): i32 {
  present = 0
  let slash = -1
  let at = from
  while (at < end) {
    const byte = byteAt(at)
    if (byte === GREATER) {
      selfClosing = slash === at - 1
      return at + 1
    }
    if (byte === SLASH || isSpace(byte)) {
      if (byte === SLASH) slash = at
      at++
    } else at = readAttribute(at)
  }
  return -1
}

export function has(attribute: i32): bool {
  return (present & (1 << attribute)) !== 0
}

/** Returns the start of an attribute's value in the page; -1 if the tag doesn't have the attribute. */
export function startOf(attribute: i32): i32 {
  return has(attribute) ? placeOf(attribute, ATTRIBUTE_START) : -1
}

export function endOf(attribute: i32): i32 {
  return has(attribute) ? placeOf(attribute, ATTRIBUTE_END) : -1
}

/** Returns whether the tag has the attribute, with a value that is not too long. */
export function hasValue(attribute: i32): bool {
  return has(attribute) && endOf(attribute) - startOf(attribute) <= MAX_VALUE
}

/** Reads the attribute whose name starts at `from`. Returns the index after it. */
function readAttribute(from: i32): i32 {
  const nameEnd = endOfAttributeName(from)
  let at = skipSpace(nameEnd)
  let start = at
  let valueEnd = at
  if (byteAt(at) === EQUALS) {
    start = skipSpace(at + 1)
    const quote = byteAt(start)
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      valueEnd = indexOf(quote, ++start)
      at = valueEnd + 1
    } else {
      valueEnd = endOfUnquoted(start)
      at = valueEnd
    }
  }
  if (mayBeAttribute(from)) keep(attributeNamed(from, nameEnd), start, valueEnd)
  return at
}

/** Keeps the value of an attribute. Of attributes with the same name, only the first counts. */
function keep(attribute: i32, start: i32, valueEnd: i32): void {
  if (attribute === UNKNOWN_NAME || has(attribute)) return
  present |= 1 << attribute
  store<i32>(fieldOf(attribute, ATTRIBUTE_START), start)
  store<i32>(fieldOf(attribute, ATTRIBUTE_END), valueEnd)
}

function placeOf(attribute: i32, field: i32): i32 {
  return load<i32>(fieldOf(attribute, field))
}

function fieldOf(attribute: i32, field: i32): usize {
  const offset = (attribute * ATTRIBUTE_WORDS + field) << 2
  assert(offset >= 0 && offset < ATTRIBUTES_SIZE)
  return ATTRIBUTES_AT + offset
}
