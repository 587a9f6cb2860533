import { describeSeenSet } from '../contract.ts'

describeSeenSet('sqlite')
