// Runs that were joined are stored as the tracks they are made of: what is read of that tree is what a baked copy of
// the joined samples would give, value by value.
import { describe, expect, test } from 'bun:test'
import type { JoinGap } from '../../src/engine/repair/join.ts'
import type { Repair } from '../../src/engine/repair/repairs.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import type { Track } from '../../src/engine/track.ts'
import { DERIVE_JOBS, type DeriveJob, deriveRun } from '../../src/workers/derive.ts'
import { packTrack } from '../../src/workers/pack.ts'
import {
  clockedTrack,
  joinedTrack,
  positionsOf,
  type StoredJoin,
  type StoredTrack,
  trackOf,
} from '../../src/workers/stored-track.ts'
import { degreesAt, recordingOf, START_MS } from '../fixtures/recording.ts'

const { perNorthM } = degreesAt(47)
const CLIMB = { gainM: 51.3, lossM: 48.8 }

function packed({ startS = 0, seconds = 1200, northM = 0, hasDistance = true }) {
  const tS = Float64Array.from({ length: seconds + 1 }, (_, t) => t + (t % 3) / 7)
  const columns = {
    ...{ latDeg: tS.map((t) => 47 + (northM + t * 3) * perNorthM), lonDeg: tS.map(() => 8.1234567) },
    ...(hasDistance ? { distanceM: tS.map((t) => t * 3) } : {}),
    elevM: tS.map((t) => 400 + 15 * Math.sin((northM + t * 3) / 300)),
    heartRateBpm: tS.map((t) => 130 + (Math.floor(t) % 20)),
    cadenceRpm: tS.map(() => 85.3),
    speedMps: tS.map(() => 3.001),
  }
  const recording = recordingOf(tS, columns)
  const timeMs = recording.timeMs.map((ms) => ms + startS * 1000)
  return packTrack(cleanRecording({ ...recording, startMs: START_MS + startS * 1000, timeMs })!)
}

const CROP: Repair = { kind: 'crop', fromMs: 100_250, toMs: 900_000, climbLimit: null, caloriesKcal: 40 }
const CUT: Repair = {
  kind: 'cut',
  ...{ fromMs: 200_000, toMs: 300_000, closesGap: true, climbLimit: null, caloriesKcal: null },
}
const MEND: Repair = { kind: 'mend', fromMs: 50_000, toMs: 60_000, channel: 'position', fill: 'interpolate' }
const SHIFT: Repair = { kind: 'shift', offsetMs: 5000, timeZone: null }

const WATCH: StoredTrack = { samples: packed({}), repairs: [CROP, CUT] }
const PHONE: StoredTrack = {
  samples: packed({ startS: 1500, seconds: 900, northM: 4200, hasDistance: false }),
  repairs: [MEND, SHIFT],
}

function bakedOf(parts: readonly StoredTrack[], how: { gap: JoinGap; climb: typeof CLIMB | null }): StoredTrack {
  const tracks = parts.map((part) => trackOf(part))
  const track = joinedTrack(tracks, how)
  if (track === null) throw new Error('They cannot be joined')
  return { samples: packTrack(track), repairs: [] }
}

/** Every value, also NaN and -0, and no member more. */
const exactly = (track: Track) =>
  Object.entries(track)
    .map(([name, value]) => [name, ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value] as const)
    .toSorted(([a], [b]) => a.localeCompare(b))

describe.each(['pause', 'straight', 'none'] as const)('joined with the gap %s', (gap) => {
  test.each([null, CLIMB])('the tree gives the track that its baked samples give', (climb) => {
    const how = { gap, climb }
    const baked = bakedOf([WATCH, PHONE], how)
    const tree: StoredTrack = { join: [WATCH, PHONE], ...how, repairs: [] }
    expect(exactly(trackOf(tree))).toEqual(exactly(trackOf(baked)))
    for (const repairs of [[], [CUT], [MEND, CROP, SHIFT]] as const) {
      const [one, other] = [tree, baked].map((track): StoredTrack => ({ ...track, repairs })) as [
        StoredTrack,
        StoredTrack,
      ]
      expect(exactly(trackOf(one))).toEqual(exactly(trackOf(other)))
      const { latDeg, lonDeg } = positionsOf(one)
      expect([[...latDeg], [...lonDeg]]).toEqual([[...trackOf(other).latDeg], [...trackOf(other).lonDeg]])
      for (const atS of [0, 33.333, 400])
        expect(clockedTrack(one).recordedMs(atS)).toBe(clockedTrack(other).recordedMs(atS))
    }
  })
})

const common = {
  repairs: [{ kind: 'join', caloriesKcal: 77.7 }, MEND],
  ...{ durationS: 2000, zones: DEFAULT_ZONES, splitLengthM: 1000, elevation: { thresholdM: 2, minDistanceM: 10 } },
  ...{ primary: 0, ours: { effort: false } },
} as const
/** What the recordings of a joined run state is not heard. */
const LIES = { calories: 999, distanceM: 1, avgHeartRateBpm: 99 }

describe('derived', () => {
  const joined: StoredJoin = { join: [WATCH, PHONE], gap: 'pause', climb: CLIMB }
  const baked = bakedOf([WATCH, PHONE], joined)
  const samplesOf = (track: StoredTrack) => ('samples' in track ? track.samples : null)
  const asBaked = { ...common, recordings: [{ kind: 'file', said: {}, samples: samplesOf(baked) }] } as const
  const asTree = {
    ...common,
    joined,
    recordings: [WATCH, PHONE].map((part) => ({ kind: 'file' as const, said: LIES, samples: samplesOf(part) })),
  } satisfies DeriveJob

  test('the numbers are those of the joined track alone, with the calories of the join', () => {
    const { analysis, startShiftMs, remade, ...parts } = deriveRun(asTree)
    const expected = deriveRun(asBaked)
    expect(analysis).toEqual(expected.analysis)
    expect(analysis.calories).toBe(78)
    const { analysis: _, startShiftMs: __, remade: ___, ...expectedParts } = expected
    expect(parts).toEqual(expectedParts)
    expect([startShiftMs, remade]).toEqual([0, []])
  })

  test.each(['effort', 'splits', 'bestEfforts'] as const)('so is what is derived alone: %s', (what) => {
    expect(DERIVE_JOBS[what](asTree)).toEqual(DERIVE_JOBS[what](asBaked))
  })
})
