// docs/archive.md alone is enough to read the samples of library.json.
import { expect, test } from 'bun:test'
import { zstdDecompressSync } from 'node:zlib'
import { workoutTrack } from '../../../src/library/recordings.ts'
import { testApp } from '../../app.ts'
import { hillyRun, START_MS } from '../../fixtures/runs.ts'
import { dataOf, entriesOf, exported, OWN_FORMAT } from '../archives.ts'

type Columns = Record<number, (number | null)[]>

function columnsOf(base64: string): Columns {
  const bytes = zstdDecompressSync(Buffer.from(base64, 'base64'))
  const [n, count] = [bytes.readUInt32LE(2), bytes.readUInt8(6)]
  const columns: Columns = {}
  let at = 7
  for (let k = 0; k < count; k += 1) {
    const [id, order] = [bytes[at]!, bytes[at + 1]!]
    const [scale, unit, runs] = [bytes.readDoubleLE(at + 2), bytes.readInt32LE(at + 10), bytes.readUInt32LE(at + 14)]
    const lengths = Array.from({ length: runs }, (_, run) => bytes.readUInt32LE(at + 18 + 4 * run))
    const present = lengths.filter((_, run) => run % 2 === 0).reduce((sum, length) => sum + length, 0)
    const planes = at + 18 + 4 * runs
    const steps = [0, 0, 0, 0]
    let [value, next] = [0, 0]
    const integer = () => {
      const z = [3, 2, 1, 0].reduce((all, plane) => (all << 8) | bytes[planes + plane * present + next]!, 0)
      const d = (z >>> 1) ^ -(z & 1)
      next += 1
      if (order === 0) return d
      const mean = [13, 9, 6, 4].reduce((sum, weight, place) => sum + weight * steps[place]!, 0) >> 5
      steps.unshift((d + [0, 0, steps[0]!, mean][order]!) | 0)
      value = (value + steps[0]!) | 0
      return value
    }
    columns[id] = lengths.flatMap((length, run) =>
      Array.from({ length }, () => (run % 2 === 0 ? (integer() * unit) / scale : null)),
    )
    expect(columns[id]).toHaveLength(n)
    at = planes + 4 * present
  }
  return columns
}

test('a stranger reads times, positions, heart rate, altitude and cadence', async () => {
  await using app = await testApp()
  const id = await app.run(hillyRun(START_MS))
  const rows = dataOf(await entriesOf(app, await exported(app)), OWN_FORMAT.library)
  expect(rows[0]).toEqual({ kind: 'library', format: 1 })
  const { samples } = rows.find((row: { id?: string }) => row.id === id).recordings[0]
  const stored = workoutTrack(app.deps.db, id)!
  const read = { ...columnsOf(samples.timeHr), ...columnsOf(samples.track), ...columnsOf(samples.rest) }
  const names = ['tS', 'heartRateBpm', 'latDeg', 'lonDeg', null, 'elevM', 'cadenceRpm', 'powerW'] as const
  for (const [place, name] of names.entries()) {
    if (name === null) continue
    const values = Array.from(stored[name], (value) => (Number.isNaN(value) ? null : value))
    expect([name, read[place + 1]]).toEqual([name, values])
  }
  expect([samples.sampleCount, JSON.parse(samples.meta).startMs]).toEqual([stored.n, stored.startMs])
})
