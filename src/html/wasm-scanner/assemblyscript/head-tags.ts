import {
  ABSENT,
  ATTRIBUTE_CHARSET,
  ATTRIBUTE_CONTENT,
  ATTRIBUTE_HREF,
  ATTRIBUTE_HTTP_EQUIV,
  ATTRIBUTE_NAME,
  ATTRIBUTE_REL,
  HEAD_TAG_CHARSET_START,
  HEAD_TAG_CONTENT_START,
  HEAD_TAG_HREF_START,
  HEAD_TAG_HTTP_EQUIV_START,
  HEAD_TAG_KIND,
  HEAD_TAG_NAME_START,
  HEAD_TAG_REL_START,
  HEAD_TAG_WORDS,
  HEAD_TAGS_AT,
  MAX_HEAD_TAGS,
} from './generated/constants.ts'
import { endOf, has, startOf } from './start-tag.ts'

/** Number of tags of the head that are kept for TypeScript. */
export let headTagCount: i32 = 0
/** True if the page has more of these tags than can be kept. */
export let areHeadTagsMissing: bool = false

export function openHeadTags(): void {
  headTagCount = 0
  areHeadTagsMissing = false
}

/** Keeps the positions of the attributes of the tag that was read last. */
export function addHeadTag(kind: i32): void {
  if (headTagCount === MAX_HEAD_TAGS) {
    areHeadTagsMissing = true
    return
  }
  const tag = headTagCount++
  setField(tag, HEAD_TAG_KIND, kind)
  keepValue(tag, HEAD_TAG_HREF_START, ATTRIBUTE_HREF)
  keepValue(tag, HEAD_TAG_REL_START, ATTRIBUTE_REL)
  keepValue(tag, HEAD_TAG_CHARSET_START, ATTRIBUTE_CHARSET)
  keepValue(tag, HEAD_TAG_HTTP_EQUIV_START, ATTRIBUTE_HTTP_EQUIV)
  keepValue(tag, HEAD_TAG_CONTENT_START, ATTRIBUTE_CONTENT)
  keepValue(tag, HEAD_TAG_NAME_START, ATTRIBUTE_NAME)
}

/** Keeps the start and the end of a value, in two fields that follow each other. */
function keepValue(tag: i32, startField: i32, attribute: i32): void {
  setField(tag, startField, has(attribute) ? startOf(attribute) : ABSENT)
  setField(tag, startField + 1, has(attribute) ? endOf(attribute) : ABSENT)
}

function setField(tag: i32, field: i32, value: i32): void {
  assert(tag >= 0 && tag < MAX_HEAD_TAGS && field >= 0 && field < HEAD_TAG_WORDS)
  store<i32>(HEAD_TAGS_AT + ((tag * HEAD_TAG_WORDS + field) << 2), value)
}
