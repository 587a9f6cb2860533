import { describe } from 'vitest'
import { frontierContract } from '../frontier-contract.ts'
import { openFrontier } from '../open-frontier.ts'

describe('the frontier in SQLite', () => frontierContract(openFrontier))
