// What is kept of the database is what somebody finds who has kept nothing.
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Config } from '../../src/base/config.ts'
import { kept } from '../../src/db/kept.ts'
import { workouts } from '../../src/db/schema.ts'
import { figuresOfRuns } from '../../src/features/stats/insights.ts'
import { changeSettings } from '../../src/library/settings.ts'
import { runId } from '../features/stats/library.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { addWorkout, NOW_MS } from '../library/feature-app.ts'
import { memoryDb } from '../library/memory-db.ts'

function library(count: number) {
  const db = memoryDb()
  for (let n = 0; n < count; n += 1) addWorkout({ db }, { id: runId(n), startedAt: NOW_MS + n * 1000 })
  return db
}

test('a value is computed once until something is written or the question differs', () => {
  const db = library(1)
  const asked: string[] = []
  const echo = kept(db, (text: string, from: { readonly day: number } | undefined) => {
    asked.push(text)
    return { text, from }
  })
  const first = echo('a', { day: 1 })
  expect(echo('a', { day: 1 })).toBe(first)
  expect(echo('a', { day: 2 })).toEqual({ text: 'a', from: { day: 2 } })
  expect(echo('b', { day: 2 }).text).toBe('b')
  const last = echo('b', undefined)
  expect(echo('b', undefined)).toBe(last)
  changeSettings(db, { config: { undoDays: 30 } as Config, now: () => NOW_MS }, { unitPreference: 'imperial' })
  expect(echo('b', undefined)).not.toBe(last)
  expect(asked).toEqual(['a', 'a', 'b', 'b', 'b'])
  db.$client.close()
})

test('a thousand writes of all kinds, also undone, leave what a fresh reading finds', () => {
  const db = library(60)
  const figures = kept(db, () => figuresOfRuns(db))
  const random = seededRandom(5)
  const pick = (most: number) => Math.floor(random() * most)
  let next = 60
  const write = () => {
    const id = runId(pick(next))
    const kind = pick(3)
    if (kind === 0) {
      addWorkout({ db }, { id: runId(next), startedAt: NOW_MS + pick(20) * 1000, weatherTemperatureC: pick(30) })
      next += 1
    } else if (kind === 1) db.delete(workouts).where(eq(workouts.id, id)).run()
    else
      db.update(workouts)
        .set({ startedAt: NOW_MS + pick(20) * 1000, elevGainM: pick(3) })
        .where(eq(workouts.id, id))
        .run()
  }
  for (let step = 0; step < 1000; step += 1) {
    if (step % 7 === 0) {
      const undone = () =>
        db.transaction(() => {
          write()
          if (step % 2 === 0) figures()
          throw new Error('undone')
        })
      expect(undone).toThrow('undone')
    } else write()
    if (step % 10 === 0) expect(figures()).toEqual(figuresOfRuns(db))
  }
  db.$client.run('DELETE FROM workout')
  expect(figures()).toEqual([])
  db.$client.close()
})
