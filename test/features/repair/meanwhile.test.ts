// A run that changes while its split or join is computed: what was refused or failed for the old state is tried again.

import { expect, test } from 'bun:test'
import { joinWorkouts } from '../../../src/features/repair/join.ts'
import { splitWorkout } from '../../../src/features/repair/split.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { watched } from '../../fixtures/worker.ts'

const BY = { actor: 'browser', left: () => {} }

/** Dependencies whose Worker is overtaken by a change when it is first asked for something. */
function overtaken({ deps }: TestApp, what: string, change: () => Promise<unknown>) {
  let isOver = false
  const before = async (job: string) => {
    if (job !== what || isOver) return
    isOver = true
    await change()
  }
  return { ...deps, worker: watched(deps.worker, { before }), by: BY }
}

const CHANGES: readonly (readonly [string, (app: TestApp, id: string) => Promise<unknown>, string | null])[] = [
  ['is whole again', (app, id) => app.ok('POST', `/workouts/${id}/revert`), null],
  ['is gone', (app, id) => app.ok('DELETE', `/workouts/${id}?forever=true`), 'Workout not found'],
]

for (const [now, change, error] of CHANGES)
  test(`a split of a run that ${now} meanwhile`, async () => {
    await using app = await testApp()
    const id = await app.run(fitRun())
    await app.ok('POST', `/workouts/${id}/crop`, { removeFromEndSeconds: 300 })
    const deps = overtaken(app, 'repair', () => change(app, id))
    const split = splitWorkout(deps, id, { atElapsedS: [400] })
    if (error !== null) return expect(split).rejects.toThrow(error)
    expect(await split).toMatchObject({ ids: [id, expect.any(String)] })
  })

test('a split of a run that is deleted permanently while its parts are derived', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun())
  const deps = overtaken(app, 'everything', () => app.ok('DELETE', `/workouts/${id}?forever=true`))
  expect(splitWorkout(deps, id, { atElapsedS: [300] })).rejects.toThrow('Workout not found')
})

test('a join of runs of which one ends earlier meanwhile, or is gone', async () => {
  await using app = await testApp()
  const [first, second] = [await app.run(fitRun()), await app.run(fitRun({ startMs: START_MS + 300_000 }), 'b.fit')]
  const cropped = overtaken(app, 'join', () => app.ok('POST', `/workouts/${first}/crop`, { removeFromEndSeconds: 300 }))
  expect(await joinWorkouts(cropped, { ids: [first, second], dryRun: true })).toMatchObject({
    after: { durationS: 900 },
  })
  const gone = overtaken(app, 'everything', () => app.ok('DELETE', `/workouts/${second}?forever=true`))
  expect(joinWorkouts(gone, { ids: [first, second] })).rejects.toThrow(`There is no workout ${second}`)
})
