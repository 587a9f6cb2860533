import { describeSeenSet } from './contract.ts'

describeSeenSet('exact')
