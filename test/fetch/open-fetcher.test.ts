import { FETCHER_NAMES } from '../../src/fetch/open-fetcher.ts'
import { keepsTheFetcherContract } from './fetcher-contract.ts'

for (const name of FETCHER_NAMES) keepsTheFetcherContract(name)
