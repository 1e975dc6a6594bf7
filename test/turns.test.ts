import { expect, test } from 'bun:test'
import { createTurns } from '../src/base/turns.ts'

test('work whose caller had gone before it was asked for does not begin', async () => {
  const turns = createTurns({ atOnce: 1 })
  const never = async () => {
    throw new Error('begun')
  }
  expect(await turns.take(never, AbortSignal.abort()).catch(String)).toBe('Error: nobody waits for it')
})
