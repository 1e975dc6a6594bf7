import { seasonGoals, seasonRuns, seasonSettings, seasonZones } from '../fixtures/seasons/library.ts'
import { type RunServer, startRunServer } from './run-server.ts'

const DAY_MS = 86_400_000

/** The real process with the two years of a plausible runner up to yesterday. */
export async function startSeasonServer(): Promise<RunServer> {
  const server = await startRunServer()
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.call(path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await send('PUT', '/settings/heart-rate-zones', seasonZones())
  await send('PUT', '/settings/training', seasonSettings(todayMs))
  for (const { file, edit } of seasonRuns(todayMs)) {
    await send('PATCH', `/workouts/${await server.importRun(file)}`, edit)
  }
  for (const goal of seasonGoals(todayMs)) await send('POST', '/training/goals', goal)
  return server
}
