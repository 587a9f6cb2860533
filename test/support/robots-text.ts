import { parseRobots, type RobotsRules } from '../../src/robots/parse.ts'

/** Parses a robots.txt given as text. */
export function parseRobotsText(text: string, productToken: string): RobotsRules {
  return parseRobots(Buffer.from(text), productToken)
}
