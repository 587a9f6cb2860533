import { mock } from 'node:test'
import { cachedDataVersionTag } from 'node:v8'
import { liftTurbofanDelay } from '../../src/runtime/turbofan-delay.ts'

/** A process that prints whether V8 has its own flags after each step of two threads that load. */
mock.timers.enable({ apis: ['setTimeout'] })
const tag = cachedDataVersionTag()
const hasOwnFlags: boolean[] = []
const note = () => void hasOwnFlags.push(cachedDataVersionTag() === tag)
const first = liftTurbofanDelay()
const second = liftTurbofanDelay()
note()
first()
first()
note()
second()
note()
const third = liftTurbofanDelay()
note()
third()
note()
mock.timers.tick(4_000)
note()
liftTurbofanDelay()()
note()
console.log(JSON.stringify(hasOwnFlags))
