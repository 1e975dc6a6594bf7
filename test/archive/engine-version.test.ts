import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { workouts } from '../../src/db/schema.ts'
import { ENGINE_VERSION } from '../../src/engine/analyze.ts'
import { startJobs } from '../../src/jobs.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxRun } from '../fixtures/runs.ts'
import { exported, restored } from './archives.ts'

function versions(app: TestApp): number[] {
  return app.deps.db
    .select({ version: workouts.engineVersion })
    .from(workouts)
    .all()
    .map(({ version }) => version)
}

test('what an older engine computed is derived again at once when it is restored', async () => {
  await using first = await testApp()
  const { json } = await first.upload('/workouts/import', [{ name: 'a.gpx', bytes: gpxRun({ seconds: 1200 }) }])
  const right = (await first.call('GET', `/workouts/${json.id}?includeRaw=false`)).json
  const wrong = { engineVersion: 0, avgSpeedMps: 1.5, elevGainM: 777 }
  first.deps.db.update(workouts).set(wrong).where(eq(workouts.id, json.id)).run()

  await using second = await testApp()
  const jobs = startJobs(second.deps, 0)
  expect((await restored(second, await exported(first))).json).toMatchObject({ success: true, errors: [] })
  for (let turns = 0; versions(second)[0] === 0 && turns < 6000; turns += 1) await Bun.sleep(5)
  await jobs.stop()
  expect(versions(second)).toEqual([ENGINE_VERSION])
  expect((await second.call('GET', `/workouts/${json.id}?includeRaw=false`)).json).toEqual(right)
})
