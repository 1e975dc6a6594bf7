import { expect, test } from 'bun:test'
import { workoutTrack } from '../../src/library/recordings.ts'
import { packTrack } from '../../src/workers/pack.ts'
import { type TestApp, testApp } from '../app.ts'
import { fitRun } from '../fixtures/runs.ts'
import { addWorkout } from '../library/feature-app.ts'
import { addRecording } from '../library/recordings.ts'

async function answerOf(app: TestApp, path: string, method = 'GET') {
  const headers = { authorization: `Bearer ${app.token}`, 'accept-encoding': 'gzip' }
  const answer = await app.handle(new Request(`http://localhost${path}`, { method, headers }))
  const bytes = await answer.bytes()
  const encoding = answer.headers.get('content-encoding')
  const text = new TextDecoder().decode(encoding === 'gzip' ? Bun.gunzipSync(bytes) : bytes)
  return { status: answer.status, encoding, length: answer.headers.get('content-length'), bytes, text }
}

test('samples, time series, details with raw data and downloads wait for their turn; other answers do not', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun({ seconds: 3600 }))
  const inLine = ['samples', 'time-series', '', 'export?format=gpx', 'export?format=fit', 'export?format=tcx']
  // an answer that is larger than all that may be held, and that nobody reads
  const { derive } = app.deps.analyzer
  app.deps.analyzer.derive = async (job) => {
    const found = await derive(job)
    if (found.what !== 'runFile') return found
    return { ...found, file: { size: 2 ** 24, isPacked: false, pieces: [new Uint8Array(2 ** 24)] } }
  }
  const headers = { authorization: `Bearer ${app.token}` }
  const held = await app.handle(new Request(`http://localhost/workouts/${id}/export?format=gpx`, { headers }))
  app.deps.analyzer.derive = derive
  const waiting = inLine.map((path) => answerOf(app, `/workouts/${id}/${path}`))
  for (const path of ['?includeRaw=false', 'laps', 'export?format=original']) {
    expect((await answerOf(app, `/workouts/${id}/${path}`)).status, path).toBe(200)
  }
  expect(await Promise.race([...waiting, Bun.sleep(20)])).toBeUndefined()
  await held.body!.cancel()
  for (const [k, answered] of (await Promise.all(waiting)).entries()) {
    const isJson = k < 3
    expect([inLine[k], answered.status, answered.encoding]).toEqual([inLine[k]!, 200, isJson ? 'gzip' : null])
    expect(answered.length).toBe(String(answered.bytes.length))
    const plain = await app.call('GET', `/workouts/${id}/${inLine[k]}`)
    expect(answered.text).toBe(plain.text)
    const head = await answerOf(app, `/workouts/${id}/${inLine[k]}`, 'HEAD')
    expect([head.status, head.encoding, head.text]).toEqual([200, null, ''])
    expect(head.length).toBe(plain.headers.get('content-length'))
  }
})

const ROWS = 200_501

/** A run of more than 200,000 points, stored without an import, which would take ten seconds. */
async function longRun(app: TestApp): Promise<string> {
  const short = workoutTrack(app.deps.db, await app.run(fitRun({ seconds: 600 })))!
  const column = (valueAt: (row: number) => number) => Float64Array.from({ length: ROWS }, (_, row) => valueAt(row))
  const none = column(() => Number.NaN)
  const track = {
    ...{ ...short, n: ROWS, tS: column((row) => row), distanceM: column((row) => 3 * row), latDeg: none, lonDeg: none },
    ...{ elevM: column((row) => 40 + (row % 7)), heartRateBpm: column((row) => 120 + (row % 40)), speedMps: none },
    ...{ cadenceRpm: none, powerW: none, temperatureC: none },
  }
  const id = Bun.randomUUIDv7()
  addWorkout(app.deps, { id })
  addRecording(app.deps, id, { samples: packTrack(track) })
  return id
}

test('all rows of a run of more than 200,000 points stay, unless fewer are asked for', async () => {
  await using app = await testApp()
  const id = await longRun(app)
  const { status, encoding, length, text } = await answerOf(app, `/workouts/${id}/samples`)
  // written in pieces, and compressed while they are taken
  expect([status, encoding, length]).toEqual([200, 'gzip', null])
  const { totalCount, count, elapsedS, distanceM } = JSON.parse(text)
  expect([totalCount, count, elapsedS.length, distanceM.length]).toEqual(Array(4).fill(ROWS))
  expect([elapsedS[0], elapsedS[123_456], elapsedS.at(-1)]).toEqual([0, 123_456, ROWS - 1])
  const thinned = await answerOf(app, `/workouts/${id}/samples?maxPoints=100`)
  expect(JSON.parse(thinned.text)).toMatchObject({ totalCount: ROWS, count: 100 })
})
