import { parseRobots, type RobotsRules } from '../../src/robots/parse.ts'

/** Parses a robots.txt whose text is given, for tests. */
export function parseRobotsText(text: string, productToken: string): RobotsRules {
  return parseRobots(Buffer.from(text), productToken)
}
