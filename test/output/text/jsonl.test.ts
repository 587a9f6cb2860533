import { visitsIn } from '../../support/state-run.ts'
import { keepsTheContract } from '../output-contract.ts'

keepsTheContract({ file: 'visits.jsonl', read: visitsIn })
