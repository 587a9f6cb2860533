import {
  ABSENT,
  ATTRIBUTE_CHARSET,
  ATTRIBUTE_CONTENT,
  ATTRIBUTE_HREF,
  ATTRIBUTE_HTTP_EQUIV,
  ATTRIBUTE_NAME,
  ATTRIBUTE_REL,
  MAX_PARTS,
  PART_CHARSET_START,
  PART_CONTENT_START,
  PART_HREF_START,
  PART_HTTP_EQUIV_START,
  PART_KIND,
  PART_NAME_START,
  PART_REL_START,
  PART_WORDS,
  PARTS_AT,
} from './generated/constants.ts'
import { endOf, has, startOf } from './start-tag.ts'

/** Tags of the head that TypeScript is to look at. */
export let partCount: i32 = 0
/** True if there were more than are kept. */
export let arePartsMissing: bool = false

export function openParts(): void {
  partCount = 0
  arePartsMissing = false
}

/** Keeps where the attributes of the tag stand that was read last. */
export function addPart(kind: i32): void {
  if (partCount === MAX_PARTS) {
    arePartsMissing = true
    return
  }
  const part = partCount++
  setField(part, PART_KIND, kind)
  keepValue(part, PART_HREF_START, ATTRIBUTE_HREF)
  keepValue(part, PART_REL_START, ATTRIBUTE_REL)
  keepValue(part, PART_CHARSET_START, ATTRIBUTE_CHARSET)
  keepValue(part, PART_HTTP_EQUIV_START, ATTRIBUTE_HTTP_EQUIV)
  keepValue(part, PART_CONTENT_START, ATTRIBUTE_CONTENT)
  keepValue(part, PART_NAME_START, ATTRIBUTE_NAME)
}

/** The end of a value stands behind its start. */
function keepValue(part: i32, startField: i32, attribute: i32): void {
  setField(part, startField, has(attribute) ? startOf(attribute) : ABSENT)
  setField(part, startField + 1, has(attribute) ? endOf(attribute) : ABSENT)
}

function setField(part: i32, field: i32, value: i32): void {
  assert(part >= 0 && part < MAX_PARTS && field >= 0 && field < PART_WORDS)
  store<i32>(PARTS_AT + ((part * PART_WORDS + field) << 2), value)
}
