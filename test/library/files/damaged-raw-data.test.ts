// The raw data of a workout may be a file of its own: what happens to it on the disk costs the workout nothing else.
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { rawDataPath } from '../../../src/library/files/paths.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { storeRawData } from '../recordings.ts'

async function imported(app: TestApp, n: number): Promise<string> {
  const id = await app.run(fitRun({ startMs: START_MS + n * 1e8 }), `${n}.fit`)
  await storeRawData(app.deps)
  return id
}

test('of raw data that the disk has damaged the detail has nulls, and one line in the log says so', async () => {
  await using app = await testApp()
  const id = await imported(app, 0)
  const path = rawDataPath(app.deps.config.dataDir, id)
  const bytes = readFileSync(path)
  const whole = await app.ok('GET', `/workouts/${id}`)
  expect(whole.rawFitData).not.toBeNull()
  for (const damaged of [
    ...[bytes.subarray(0, bytes.length / 2), new Uint8Array(0), Buffer.alloc(bytes.length)],
    ...['{"raw":', '[{"rawGpxData":null}]', '{"rawGpxData":{}}'].map((text) => Bun.zstdCompressSync(text)),
    // half a character
    Bun.zstdCompressSync(Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x7d])),
  ]) {
    writeFileSync(path, damaged)
    expect(await app.ok('GET', `/workouts/${id}`)).toEqual({ ...whole, rawFitData: null })
    expect(app.logged.splice(0)).toEqual([expect.stringContaining(`The raw data of the workout ${id} is damaged`)])
  }
})
