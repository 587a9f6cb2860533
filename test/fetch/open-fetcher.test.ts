import { keepsTheFetcherContract } from './fetcher-contract.ts'
import { openTestFetcher } from './open-test-fetcher.ts'

keepsTheFetcherContract('http', openTestFetcher)
