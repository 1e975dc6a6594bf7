// A run of a whole day: others do not wait while it is repaired and shown.
import { expect, test } from 'bun:test'
import { pointBomb } from '../fixtures/bombs.ts'
import { tempFolder } from '../temp-folder.ts'
import { json, oneFile, startServer } from './real-server.ts'
import { watchWaits } from './waits.ts'

const POINTS = 86_400
const LONGEST_WAIT_MS = 50
/** The first rounds compile the code. */
const WARM_UP = 2
const MEASURED = 3

const folder = tempFolder()
test('a run of 86,400 points is cropped, cut and shown, and nobody waits more than 50 ms', async () => {
  await using server = await startServer({ dataDir: folder })
  await server.login()
  const imported = await server.call('/workouts/import', oneFile('a.gpx.gz', pointBomb(POINTS)))
  const { id } = (await imported.json()) as { id: string }
  const post = (path: string, body: object = {}) => server.call(`/workouts/${id}/${path}`, json('POST', body))
  const steps = {
    detail: () => server.call(`/workouts/${id}`),
    crop: () => post('crop', { removeFromStartSeconds: 600 }),
    'detail of a cropped run': () => server.call(`/workouts/${id}`),
    cut: () => post('cut', { fromElapsedS: 3000, toElapsedS: 3600 }),
    'detail of a cut run': () => server.call(`/workouts/${id}`),
    revert: () => post('revert'),
  }
  const waits: Record<string, number[]> = Object.fromEntries(Object.keys(steps).map((name) => [name, []]))
  for (let round = 0; round < WARM_UP + MEASURED; round += 1) {
    for (const [name, step] of Object.entries(steps)) {
      const watched = watchWaits(server)
      const response = await step()
      const text = await response.text()
      const waitedMs = await watched.end()
      expect([name, response.status, text.length > 1000]).toEqual([name, 200, true])
      if (round >= WARM_UP) waits[name]!.push(waitedMs)
    }
  }
  // the least of several rounds: a collection of garbage may fall into any of them
  const least = Object.entries(waits).map(([name, all]) => [name, Math.min(...all)] as const)
  expect(least.filter(([, waitedMs]) => waitedMs > LONGEST_WAIT_MS)).toEqual([])
}, 120_000)
