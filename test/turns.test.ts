import { expect, test } from 'bun:test'
import { createTurns } from '../src/turns.ts'

class Refused extends Error {}

/** Work that is done when it is reported so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

test('more than may wait are turned away at once, and the others get their turn in order', async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 2, refusal: (why) => new Refused(why) })
  const jobs = [held(), held(), held()]
  const begun: number[] = []
  const taken = jobs.map(({ work }, k) =>
    turns.take(() => {
      begun.push(k)
      return work()
    }),
  )
  const refused = turns.take(async () => {}).catch((error: unknown) => error)
  expect(await Promise.race([refused, Bun.sleep(500)])).toEqual(new Refused('too many wait'))
  for (const [k, { end }] of jobs.entries()) {
    await Bun.sleep(1)
    expect(begun).toEqual([0, 1, 2].slice(0, k + 1))
    end()
    await taken[k]
  }
  expect(await turns.take(async () => 'free again')).toBe('free again')
})

test('so many work at once, and a failure is its own', async () => {
  const turns = createTurns({ atOnce: 2 })
  const jobs = [held(), held()]
  const first = jobs.map(({ work }) => turns.take(work))
  const failing = turns.take(() => Promise.reject(new Error('the disk is gone'))).catch((error: unknown) => error)
  const last = turns.take(async () => 'last')
  expect(await Promise.race([last, Bun.sleep(5)])).toBeUndefined()
  jobs[0]!.end()
  expect(await failing).toEqual(new Error('the disk is gone'))
  expect(await last).toBe('last')
  jobs[1]!.end()
  await Promise.all(first)
})

test('work whose caller has gone does not begin, and takes no turn from others', async () => {
  const turns = createTurns({ atOnce: 1, refusal: (why) => new Refused(why) })
  const { work, end } = held()
  const first = turns.take(work)
  const leaving = new AbortController()
  const never = async () => {
    throw new Error('begun')
  }
  const left = turns.take(never, leaving.signal).catch((error: unknown) => error)
  const stayed = turns.take(async () => 'stayed')
  leaving.abort()
  expect(await left).toEqual(new Refused('nobody waits for it'))
  expect(await turns.take(never, leaving.signal).catch((error: unknown) => error)).toBeInstanceOf(Refused)
  end()
  await first
  expect(await stayed).toBe('stayed')
})
