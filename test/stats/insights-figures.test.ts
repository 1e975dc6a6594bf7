// The figures that insights are made of follow every write, and only what was written is read again.
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type Db, openDb } from '../../src/db/open.ts'
import { workouts } from '../../src/db/schema.ts'
import { shoes } from '../../src/db/schema-account.ts'
import { writeSettings } from '../../src/library/settings.ts'
import { keptFigures } from '../../src/stats/insights-figures.ts'
import { addWorkout, NOW_MS } from '../fixtures/feature-app.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { runId } from './library.ts'

function library(count: number): Db {
  const db = openDb(':memory:')
  for (let n = 0; n < count; n += 1) addWorkout({ db }, { id: runId(n), startedAt: NOW_MS + n * 1000 })
  return db
}

/** What somebody reads who has kept nothing. */
const fresh = (db: Db) => keptFigures(db)()

test('after a write of other things nothing is read; after one of a run that run alone', () => {
  const db = library(1000)
  const figures = keptFigures(db)
  const before = figures()
  writeSettings(db, { unitPreference: 'imperial' }, NOW_MS)
  expect(figures()).toBe(before)
  db.update(workouts)
    .set({ distanceM: 77 })
    .where(eq(workouts.id, runId(500)))
    .run()
  const after = figures()
  expect(after[500]).toMatchObject({ distanceM: 77 })
  expect(after.filter((run, at) => run !== before[at])).toEqual([after[500]!])
  expect(figures()).toBe(after)
  db.$client.close()
})

test('a thousand writes of all kinds, also undone and of the same instant, leave what a fresh reading finds', () => {
  const db = library(60)
  const figures = keptFigures(db)
  const random = seededRandom(5)
  const pick = (most: number) => Math.floor(random() * most)
  let next = 60
  const write = () => {
    const id = runId(pick(next))
    const kind = pick(5)
    if (kind === 0) {
      const temperature = pick(2) === 0 ? null : pick(30)
      addWorkout({ db }, { id: runId(next), startedAt: NOW_MS + pick(20) * 1000, weatherTemperatureC: temperature })
      next += 1
    } else if (kind === 1) db.delete(workouts).where(eq(workouts.id, id)).run()
    else if (kind === 2) {
      const startedAt = NOW_MS + pick(20) * 1000
      db.update(workouts)
        .set({ startedAt, elevGainM: pick(3) })
        .where(eq(workouts.id, id))
        .run()
    } else if (kind === 3)
      db.update(workouts)
        .set({ utcOffsetMinutes: pick(2) * 60 })
        .where(eq(workouts.id, id))
        .run()
    else
      db.update(workouts)
        .set({ rpe: 1 + pick(9) })
        .where(eq(workouts.id, id))
        .run()
  }
  for (let step = 0; step < 1000; step += 1) {
    if (step % 7 === 0) {
      const undone = () =>
        db.transaction(() => {
          write()
          throw new Error('undone')
        })
      expect(undone).toThrow('undone')
    } else write()
    if (step % 10 === 0) expect(figures()).toEqual(fresh(db))
  }
  db.update(workouts).set({ distanceM: 5 }).run()
  expect(figures()).toEqual(fresh(db))
  db.$client.close()
})

test('a shoe that is deleted after its run was changed takes nothing down', () => {
  const db = library(1)
  const shoe = { id: 's', brand: 'Hoka', model: 'Mach', createdAt: NOW_MS, updatedAt: NOW_MS }
  db.insert(shoes).values(shoe).run()
  const figures = keptFigures(db)
  figures()
  db.update(workouts).set({ shoeId: 's' }).run()
  db.delete(shoes).where(eq(shoes.id, 's')).run()
  expect(db.select({ shoeId: workouts.shoeId }).from(workouts).get()).toEqual({ shoeId: null })
  expect(figures()).toEqual(fresh(db))
  db.$client.close()
})
