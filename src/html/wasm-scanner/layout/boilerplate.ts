/** The constants of boilerplate detection. */
export {
  FIRST_PRIME,
  MEDIA_SEED,
  SECOND_PRIME,
  THOROUGH_EVERY,
  THOROUGH_EVERY_REPEAT,
} from '../../boilerplate/boilerplate-detector.ts'
export { MAX_RARE } from '../../boilerplate/text-count-table.ts'
export { FOLDED, FOLDED_DIGIT, HIGH, MAX_WORDS, WORD_PRIME } from '../../boilerplate/text-words.ts'
export { MAX_URL_WORDS } from '../../boilerplate/url-words.ts'
