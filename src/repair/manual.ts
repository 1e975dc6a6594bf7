import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { RunnerWord } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import type { Said } from '../engine/numbers.ts'
import { STEPS_PER_REVOLUTION } from '../engine/units.ts'
import { insertWorkout, type NewRecording } from '../library/add-workout.ts'
import { onTrial } from '../library/change-run.ts'
import { boundsOfZones, elevationOptions } from '../library/inputs.ts'
import { leaveReceipt, tellReceipt } from '../library/receipts/record.ts'
import { defaultShoeId, splitUnitM, unitPreference, zonesOrDefault } from '../library/settings.ts'
import { utcOffsetMinutes } from '../library/time-zone.ts'
import { deriveRun } from '../workers/derive.ts'
import { checkShoe, normalised } from '../workouts/edit.ts'
import { runNumbers } from './change.ts'
import type { ManualRun, TriedRun } from './schemas.ts'
import { checkStart, checkZone, timeOfText } from './times.ts'
import { checkTogether } from './told-repairs.ts'

type Asked = Static<typeof ManualRun>

/**
 * Stores a run without a recording, as the runner enters it.
 * @returns its id; for a dry run its numbers, and nothing is stored
 * @throws AppError 400 for an implausible start, numbers that contradict each other, an unknown shoe or time zone
 */
export function addManualRun(deps: Deps, asked: Asked): { readonly id: string } | Static<typeof TriedRun> {
  const nowMs = deps.now()
  const startedAt = timeOfText(asked.startedAt)
  checkStart(startedAt, nowMs)
  checkTogether(asked)
  const timeZone = asked.timeZone ?? null
  if (timeZone !== null) checkZone(timeZone)
  const offset = timeZone === null ? (asked.utcOffsetMinutes ?? null) : utcOffsetMinutes(timeZone, startedAt)
  const id = Bun.randomUUIDv7()
  const elevation = elevationOptions(deps)
  const totals = toldNumbers(asked)
  const { name = null, notes = null, runType = null, rpe = null } = asked
  const words = normalised({ name, notes, runType, rpe })
  const row = { name: null, notes, runType, rpe, ...words }
  const recording: NewRecording = {
    id: Bun.randomUUIDv7(),
    seq: 0,
    position: 0,
    origin: 'manual',
    kind: 'manual',
    startedAt,
    totals,
    words: { ...row, source: 'manual', device: null, gear: null },
    utcOffsetMinutes: offset,
    samples: null,
    channels: [],
    laps: [],
    hasRaw: false,
    hasEstimatedTimes: false,
    addedAt: nowMs,
  }
  const insert = (tx: Tx) => {
    checkShoe(tx, asked.shoeId)
    const zones = zonesOrDefault(tx)
    const splitLengthM = splitUnitM(unitPreference(tx))
    const derived = deriveRun({
      recordings: [{ kind: 'manual', said: totals, samples: null }],
      repairs: [],
      primary: 0,
      durationS: asked.durationS,
      zones,
      splitLengthM,
      elevation,
      ours: { effort: false },
    })
    insertWorkout(tx, {
      row: {
        id,
        startedAt,
        createdAt: nowMs,
        ...row,
        source: 'manual',
        device: null,
        timeZone,
        weather: null,
        shoeId: asked.shoeId === undefined ? defaultShoeId(tx) : (asked.shoeId?.toLowerCase() ?? null),
        utcOffsetMinutes: offset,
        hasTimeSeriesHr: false,
        engineVersion: ENGINE_VERSION,
        splitUnitM: splitLengthM,
        effortZones: boundsOfZones(zones),
        elevationSettings: elevation,
        runnerSet: wordsSent(asked),
      },
      numbers: derived.analysis,
      preview: null,
      splits: [],
      bestEfforts: [],
      routeIndex: null,
      calculatedAtMs: nowMs,
      training: derived.training,
      recordings: [recording],
    })
    const about = { kind: 'manual', title: 'Added a run by hand', workoutId: id } as const
    return leaveReceipt(tx, deps, about, [{ outcome: 'created', workoutId: id, afterRevision: 0 }])
  }
  if (asked.dryRun === true) {
    const after = onTrial(deps, (tx) => {
      insert(tx)
      return runNumbers(tx, id)
    })
    return { before: null, after }
  }
  const receiptId = deps.db.transaction(insert)
  deps.events.emit({ event: 'workout.created', data: { id } })
  tellReceipt(deps, receiptId)
  return { id }
}

/** The numbers entered; indoor runs have no climb. */
function toldNumbers(asked: Asked): Said {
  const { durationS, distanceM, movingTimeS, avgHeartRateBpm, maxHeartRateBpm, elevGainM, calories } = asked
  const said: Said = {
    durationS,
    distanceM,
    movingTimeS,
    avgHeartRateBpm,
    maxHeartRateBpm,
    calories,
    elevGainM: asked.indoor === true ? null : elevGainM,
    avgCadenceRpm: asked.avgCadenceSpm == null ? null : asked.avgCadenceSpm / STEPS_PER_REVOLUTION,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== undefined))
}

const WORDS: readonly RunnerWord[] = ['name', 'notes', 'rpe', 'runType', 'shoeId']

function wordsSent(asked: Asked): readonly RunnerWord[] {
  return WORDS.filter((word) => asked[word] !== undefined)
}
