import { describeSeenSet } from '../contract.ts'

describeSeenSet('hybrid')
