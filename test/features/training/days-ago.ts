import type { TestApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { addWorkout } from '../../library/feature-app.ts'
import { rowWith } from '../../rows.ts'

const DAY_MS = 86_400_000

/** A run of which only its summary is known; its load is that of its average heart rate or its time. @returns its id */
export function addRun(app: TestApp, day: number, values: Partial<Parameters<typeof addWorkout>[1]> = {}): string {
  const id = Bun.randomUUIDv7()
  addWorkout(app.deps, { id, startedAt: app.clock.nowMs - day * DAY_MS, ...values })
  return id
}

type SteadyRun = Readonly<Record<'seconds' | 'speedMps' | 'hr', number>>

/** Imports a steady run of some days ago. @returns its id */
export async function steady(app: TestApp, day: number, run: SteadyRun): Promise<string> {
  const bytes = fitRun({ ...run, startMs: app.clock.nowMs - day * DAY_MS })
  return await app.run(bytes, `${day}-${run.seconds}.fit`)
}

/** The same as a race. */
export async function raced(app: TestApp, day: number, run: SteadyRun): Promise<string> {
  const id = await steady(app, day, run)
  await app.call('PATCH', `/workouts/${id}`, { json: { runType: 'Race' } })
  return id
}

/** Four steady runs, with which the fit begins. */
export async function fourRuns(app: TestApp, hr = 145): Promise<void> {
  for (const day of [33, 29, 25, 21]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr })
}

/** Settings of training, stored whole. @returns the answer */
export const profile = (app: TestApp, json: object) => app.ok('PUT', '/settings/training', json)

/** The same entry for all days. */
export const profileOf = (app: TestApp, entry: object) => profile(app, { entries: [entry] })

/** The proposal of a kind, if it is made. */
export const proposed = async (app: TestApp, kind: string) =>
  rowWith(await app.ok('GET', '/training/proposals'), 'kind', kind)
