import {
  ATTRIBUTE_COLOR,
  ATTRIBUTE_ENCODING,
  ATTRIBUTE_FACE,
  ATTRIBUTE_SHADOWROOTMODE,
  ATTRIBUTE_SIZE,
  TAG_ANNOTATION_XML,
  TEXT_APPLICATION_XHTML_XML,
  TEXT_CLOSED,
  TEXT_OPEN,
  TEXT_TEXT_HTML,
} from './generated/constants.ts'
import { isText } from './match-attribute-values.ts'
import { endOf, has, startOf } from './start-tag.ts'

// These functions check attributes of the tag that was read last which determine how the rest of the page is read.

/** Returns whether a `<template>` is a declarative shadow root. */
export function isShadowRoot(): bool {
  return (
    isValue(ATTRIBUTE_SHADOWROOTMODE, TEXT_OPEN) || isValue(ATTRIBUTE_SHADOWROOTMODE, TEXT_CLOSED)
  )
}

/** Returns whether a `<font>` has an attribute that makes it end SVG and MathML. */
export function isFontStyled(): bool {
  return has(ATTRIBUTE_COLOR) || has(ATTRIBUTE_FACE) || has(ATTRIBUTE_SIZE)
}

/** Returns whether the tag is an annotation of MathML that contains HTML. */
export function isHtmlAnnotation(tag: i32): bool {
  if (tag !== TAG_ANNOTATION_XML) return false
  return (
    isValue(ATTRIBUTE_ENCODING, TEXT_TEXT_HTML) ||
    isValue(ATTRIBUTE_ENCODING, TEXT_APPLICATION_XHTML_XML)
  )
}

function isValue(attribute: i32, text: i32): bool {
  return has(attribute) && isText(startOf(attribute), endOf(attribute), text)
}
