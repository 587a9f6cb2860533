import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { TaskQueue } from '../../src/fetch-worker/task-queue.ts'

/** Adds tasks that end when they are told to. */
function queueOf(concurrency: number, names: readonly string[]) {
  const queue = new TaskQueue(concurrency)
  const started: string[] = []
  const tasks = new Map<string, { readonly free: () => void; readonly end: () => void }>()
  for (const name of names) {
    queue.add((free) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      started.push(name)
      tasks.set(name, { free, end: resolve })
      return promise
    })
  }
  const act = async (name: string, action: 'free' | 'end') => {
    tasks.get(name)?.[action]()
    await setImmediate()
  }
  return { started, act }
}

it('runs so many tasks at a time, in their order', async () => {
  const { started, act } = queueOf(2, ['a', 'b', 'c', 'd'])
  expect(started).toEqual(['a', 'b'])
  await act('b', 'end')
  expect(started).toEqual(['a', 'b', 'c'])
  await act('a', 'end')
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

it('begins one more task for one that only waits, and none when that ends', async () => {
  const { started, act } = queueOf(1, ['a', 'b', 'c'])
  await act('a', 'free')
  expect(started).toEqual(['a', 'b'])
  await act('a', 'free')
  await act('a', 'end')
  expect(started).toEqual(['a', 'b'])
  await act('b', 'end')
  expect(started).toEqual(['a', 'b', 'c'])
})
