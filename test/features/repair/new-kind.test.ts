// A kind of repair is one file of the engine and its line in the table: with these alone it is applied, combined,
// archived and read back. A new one changes eight files: engine/repair/<kind>.ts, engine/repair/repairs.ts,
// workers/plans.ts; schemas.ts, routes.ts and repairs.ts of repair/; fix-forms.tsx of web/run/fix/; and
// docs/api.md.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { repairOf } from '../../../src/archive/format/library-rows.ts'
import { combine } from '../../../src/engine/combine.ts'
import type { RecordedStretch, RepairKind } from '../../../src/engine/repair/kind.ts'
import {
  changesEffort,
  changesSamples,
  leavesPart,
  offsetOf,
  REPAIR_KINDS,
  type Repair,
  recordedClock,
  repaired,
} from '../../../src/engine/repair/repairs.ts'
import { cleanRecording } from '../../../src/engine/run/samples.ts'
import { OPTIONS, recordingOf } from '../../fixtures/recording.ts'

/** On a ferry: the altitude of a stretch was that of the water, and the clock of the watch was behind. */
interface FerryRepair extends RecordedStretch {
  readonly kind: 'ferry'
  readonly waterM: number
  readonly coast: 'lake' | 'sea'
  readonly lateMs: number
}

const FERRY: RepairKind<FerryRepair> = {
  kind: 'ferry',
  members: { fromMs: 'recordedMs', toMs: 'recordedMs', waterM: 'metres', coast: ['lake', 'sea'], lateMs: 'movedMs' },
  changesSamples: () => true,
  track: (track, repair, span) => {
    const { startS, endS } = span(repair)
    return {
      ...track,
      elevM: track.elevM.map((m, row) => (track.tS[row]! >= startS && track.tS[row]! <= endS ? repair.waterM : m)),
    }
  },
  restated: () => ({ said: { calories: 100 }, measured: ['elevGainM', 'elevLossM', 'minElevM', 'maxElevM'] }),
  movedMs: ({ lateMs }) => lateMs,
}

const ferry: FerryRepair = { kind: 'ferry', fromMs: 200_000, toMs: 300_000, waterM: 395, coast: 'lake', lateMs: 90_000 }
const made = ferry as unknown as Repair
const kinds = REPAIR_KINDS as unknown as Record<string, RepairKind<FerryRepair>>

beforeAll(() => {
  kinds.ferry = FERRY
})
afterAll(() => {
  delete kinds.ferry
})

const tS = Float64Array.from({ length: 601 }, (_, t) => t)
const track = cleanRecording(
  recordingOf(tS, { distanceM: tS.map((t) => t * 3), elevM: tS.map(() => 400), heartRateBpm: tS.map(() => 140) }),
)!
const options = { ...OPTIONS, primary: 0, ours: { effort: false } }
const recording = { kind: 'file' as const, said: { calories: 500, minElevM: 12 }, track }

test('a made-up kind changes the samples on the clock of the recording, between repairs of other kinds', () => {
  const cut: Repair = {
    kind: 'cut',
    ...{ fromMs: 50_000, toMs: 100_000, closesGap: true, climbLimit: null, caloriesKcal: null },
  }
  const after = repaired(track, [cut, made])
  expect(after.startMs).toBe(track.startMs + 90_000)
  const rows = [...after.tS.keys()].filter((row) => after.elevM[row] === 395)
  // 50 s earlier but for the millisecond of the seam
  expect([after.tS[rows[0]!], after.tS[rows.at(-1)!]]).toEqual([150.001, 250.001])
  expect(offsetOf([cut, made, made])).toBe(180_000)
  expect(recordedClock([cut, made]).recordedMs(150_001)).toBe(200_000)
  expect([changesSamples(made), leavesPart(made), changesEffort(made)]).toEqual([true, false, true])
})

test('a made-up kind replaces the numbers that it names', () => {
  const { numbers, origins } = combine([recording], [made], options)
  expect(numbers).toMatchObject({ minElevM: 395, maxElevM: 400, calories: 100, distanceM: 1800 })
  expect(origins.calories).toEqual({ origin: 'runner', recording: null })
  expect(origins.minElevM).toEqual({ origin: 'derived', recording: 0 })
  expect(origins.distanceM).toEqual({ origin: 'samples', recording: 0 })
})

test('a made-up kind travels in archives, and a document with a member that is not a value of its form is refused', () => {
  const id = '01926c3e-8a10-7b77-8aaa-1c2d3e4f5a6b'
  const repair = { ...made, id, madeAt: 1_760_000_000_000, zonesBefore: null }
  const fits = (changed: object) => Value.Check(repairOf(made.kind), { ...repair, ...changed })
  expect(fits({})).toBe(true)
  const wrong: Record<string, unknown> = { fromMs: '1', waterM: -1, coast: 'river', lateMs: 2 ** 60 }
  for (const [name, value] of Object.entries(wrong)) expect([name, fits({ [name]: value })]).toEqual([name, false])
})
