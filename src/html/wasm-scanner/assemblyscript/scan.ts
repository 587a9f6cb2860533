import { openAssets } from './assets.ts'
import { publish } from './control.ts'
import { after, endOfTagName, indexOf, isLetter } from './find.ts'
import {
  allowsCdata,
  breakOut,
  endForeign,
  isForeign,
  isOpen,
  leaveForeignContent,
  pushForeign,
} from './foreign-content.ts'
import {
  ABSENT,
  CONTROL_HAS_CANDIDATES,
  CONTROL_HEAD_TAG_COUNT,
  CONTROL_PAGE_LINK_COUNT,
  CONTROL_TITLE_END,
  CONTROL_TITLE_START,
  EXCLAMATION,
  GREATER,
  LESS,
  QUESTION,
  SCAN_OPTION_ASSETS,
  SCAN_OPTION_SAMPLES,
  SCAN_OPTION_SKIP_DECLARATIONS,
  SCAN_RESULT_COMPLETE,
  SCAN_RESULT_HEAD_TAGS_MISSING,
  SCAN_RESULT_LINKS_UNCERTAIN,
  SLASH,
  TAG_ENDS_ASSETS,
  TAG_ENDS_MEDIA,
  TAG_ENDS_RAW_TEXT,
  TAG_ENDS_TAGS,
  TAG_FONT,
  TAG_MATH,
  TAG_SVG,
  TAG_TEMPLATE,
  TAG_TITLE,
  TAG_TRAIT_BREAKOUT,
} from './generated/constants.ts'
import { areHeadTagsMissing, headTagCount } from './head-tags.ts'
import { areLinksMissing, linkCount, openLinks } from './links.ts'
import { endOfDeclaration } from './markup-declaration.ts'
import { tagNamed, traitsOf } from './names.ts'
import { byteAt, end, openPage } from './page-bytes.ts'
import { addForeignTag, addTag, openHead } from './page-collector.ts'
import { endOfRawText } from './raw-text.ts'
import { openSamples, sampleMedia, sampleTitle } from './samples.ts'
import { skim } from './skim.ts'
import { isFontStyled, isHtmlAnnotation, isShadowRoot } from './special-tags.ts'
import { readTag, selfClosing } from './start-tag.ts'
import { endOfTag } from './tag-end.ts'
import { hasCandidates, openCandidates } from './undecided-links.ts'

/** The attributes of tags below this number are read. */
let tagsEnd: i32 = 0
/** Number of open templates. Their content is ignored. */
let templates: i32 = 0
let titleStart: i32 = ABSENT
let titleEnd: i32 = ABSENT

/**
 * Reads the links and the head of the page in the body in one pass. Corresponds to `scan` of the reference function by
 * function (html/reference-scanner/scan.ts). Returns one of `SCAN_RESULT`.
 */
export function scan(length: i32, options: i32, maxLinks: i32): i32 {
  openPage(length)
  openLinks(maxLinks)
  openCandidates()
  openHead((options & SCAN_OPTION_SKIP_DECLARATIONS) !== 0)
  openSamples((options & SCAN_OPTION_SAMPLES) !== 0)
  openAssets((options & SCAN_OPTION_ASSETS) !== 0)
  leaveForeignContent()
  tagsEnd = (options & SCAN_OPTION_ASSETS) !== 0 ? TAG_ENDS_ASSETS : TAG_ENDS_TAGS
  templates = 0
  titleStart = titleEnd = ABSENT
  let open = next(0)
  while (open >= 0) {
    const markupEnd = markup(open)
    open = markupEnd < 0 ? markupEnd : next(markupEnd)
  }
  return close()
}

function close(): i32 {
  publish(CONTROL_PAGE_LINK_COUNT, linkCount)
  publish(CONTROL_HAS_CANDIDATES, i32(hasCandidates))
  publish(CONTROL_HEAD_TAG_COUNT, headTagCount)
  publish(CONTROL_TITLE_START, titleStart)
  publish(CONTROL_TITLE_END, titleEnd)
  if (areHeadTagsMissing) return SCAN_RESULT_HEAD_TAGS_MISSING
  return areLinksMissing && hasCandidates ? SCAN_RESULT_LINKS_UNCERTAIN : SCAN_RESULT_COMPLETE
}

/** Returns the index of the next `<` that matters: each one inside SVG, MathML and templates, few elsewhere. */
function next(from: i32): i32 {
  if (!isOpen && templates === 0) return skim(from, tagsEnd)
  const open = indexOf(LESS, from)
  return open < end ? open : -1
}

/** Handles the markup that starts at `open`. Returns the index after it; -1 if the page ends before. */
function markup(open: i32): i32 {
  const byte = byteAt(open + 1)
  if (isLetter(byte)) return startTag(open + 1)
  if (byte === SLASH) return endTag(open + 2)
  if (byte === EXCLAMATION) return endOfDeclaration(open, allowsCdata)
  if (byte === QUESTION) return after(GREATER, open + 2)
  return open + 1
}

function endTag(start: i32): i32 {
  if (!isLetter(byteAt(start))) return after(GREATER, start)
  const nameEnd = endOfTagName(start)
  const tagEnd = byteAt(nameEnd) === GREATER ? nameEnd + 1 : endOfTag(nameEnd)
  if (tagEnd < 0) return tagEnd
  const tag = tagNamed(start, nameEnd)
  if (isOpen) endForeign(start, nameEnd, tag)
  if (templates > 0 && tag === TAG_TEMPLATE) templates--
  return tagEnd
}

function startTag(start: i32): i32 {
  const nameEnd = endOfTagName(start)
  const tag = tagNamed(start, nameEnd)
  return isForeign ? foreignTag(start, nameEnd, tag) : htmlTag(start, nameEnd, tag)
}

function htmlTag(start: i32, nameEnd: i32, tag: i32): i32 {
  if (tag >= tagsEnd) return byteAt(nameEnd) === GREATER ? nameEnd + 1 : endOfTag(nameEnd)
  const tagEnd = readTag(nameEnd)
  if (tagEnd < 0) return tagEnd
  if (tag < TAG_ENDS_RAW_TEXT) return rawText(tag, tagEnd)
  if (tag === TAG_TEMPLATE) {
    // The content of a declarative shadow root is part of the page; any other template's is not.
    if (templates > 0 || !isShadowRoot()) templates++
  } else if (tag === TAG_SVG || tag === TAG_MATH) {
    if (!selfClosing) pushForeign(start, nameEnd, tag, false)
  } else if (templates === 0) {
    if (tag < TAG_ENDS_MEDIA) sampleMedia(nameEnd, tagEnd)
    addTag(tag, tagEnd)
  }
  return tagEnd
}

function rawText(tag: i32, start: i32): i32 {
  const textEnd = endOfRawText(start, tag)
  if (templates > 0) return textEnd
  if (tag !== TAG_TITLE) addTag(tag, start)
  else {
    sampleTitle(start, textEnd)
    if (titleStart === ABSENT) {
      titleStart = start
      titleEnd = textEnd
    }
  }
  return textEnd
}

function foreignTag(start: i32, nameEnd: i32, tag: i32): i32 {
  const tagEnd = readTag(nameEnd)
  if (tagEnd < 0) return tagEnd
  const endsForeign =
    (traitsOf(tag) & TAG_TRAIT_BREAKOUT) !== 0 || (tag === TAG_FONT && isFontStyled())
  if (endsForeign) {
    breakOut()
    return htmlTag(start, nameEnd, tag)
  }
  if (templates === 0) addForeignTag(tag, tagEnd)
  if (!selfClosing) pushForeign(start, nameEnd, tag, isHtmlAnnotation(tag))
  return tagEnd
}
