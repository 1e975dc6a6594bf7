import { seasonGoals, seasonRuns, seasonSettings, seasonZones } from '../fixtures/seasons/library.ts'
import type { RunServer } from './run-server.ts'
import { DAY_MS } from './suite.ts'

/** Gives a server the two years of a plausible runner up to yesterday. */
export async function addSeasons(server: RunServer): Promise<void> {
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await server.send('PUT', '/settings/heart-rate-zones', seasonZones())
  await server.send('PUT', '/settings/training', seasonSettings(todayMs))
  for (const { file, edit } of seasonRuns(todayMs)) {
    await server.send('PATCH', `/workouts/${await server.importRun(file)}`, edit)
  }
  for (const goal of seasonGoals(todayMs)) await server.send('POST', '/training/goals', goal)
}
