import type { Static } from '@sinclair/typebox'
import type { RunnerWord } from '../../db/stored.ts'
import { parseTimestamp } from '../../engine/calendar/timestamp.ts'
import { eachNumber, type NumberName, type Said } from '../../engine/numbers.ts'
import { STEPS_PER_REVOLUTION } from '../../engine/units.ts'
import { commit, insertRecording, type NewRecording } from '../../library/commit.ts'
import type { DepsBy } from '../../library/deps.ts'
import type { RunDocument } from '../../library/documents/run.ts'
import { askedNow, elevationOptions } from '../../library/inputs.ts'
import { announceReceipt } from '../../library/receipts/record.ts'
import { numberColumns } from '../../library/run-rows.ts'
import { defaultShoeId, zonesOrDefault } from '../../library/settings.ts'
import { utcOffsetMinutes } from '../../library/time-zone.ts'
import { deriveRun } from '../../workers/derive.ts'
import { checkShoe, normalised } from '../workouts/edit.ts'
import { numbersOf } from './change.ts'
import { checkStart, checkTogether, checkZone } from './repairs.ts'
import type { ManualRun, TriedNewRun } from './schemas.ts'

type Asked = Static<typeof ManualRun>

/**
 * Stores a run without a recording, as the runner enters it.
 * @returns its id; for a dry run its numbers, and nothing is stored
 * @throws AppError 400 for an implausible start, numbers that contradict each other, an unknown shoe or time zone
 */
export function addManualRun(deps: DepsBy, asked: Asked): { readonly id: string } | Static<typeof TriedNewRun> {
  const { db, by, events } = deps
  const startedAt = parseTimestamp(asked.startedAt)!
  checkStart(startedAt, { nowMs: deps.now(), field: 'startedAt' })
  checkTogether(asked)
  if (asked.timeZone != null) checkZone(asked.timeZone)
  checkShoe(db, asked.shoeId)
  const { id, recording, change } = entered(deps, asked, startedAt)
  if (asked.dryRun === true) {
    const { utcOffsetMinutes } = recording
    const numbers = numberColumns(change.derived.analysis)
    return { before: null, after: numbersOf({ ...numbers, startedAt, utcOffsetMinutes, splitsCount: 0 }) }
  }
  const receiptId = db.transaction((tx) => {
    insertRecording(tx, recording)
    const receipt = { kind: 'manual', title: 'Added a run manually', workoutId: id } as const
    const item = { outcome: 'created', workoutId: id } as const
    return commit(tx, deps, by, { receipt, groups: [{ changes: [change], item }] })
  })
  events.emit({ event: 'workout.created', data: { id } })
  announceReceipt(deps, receiptId)
  return { id }
}

/** The recording of what was entered, and the run that it makes. */
function entered(deps: DepsBy, asked: Asked, startedAt: number) {
  const { db, now } = deps
  const id = Bun.randomUUIDv7()
  const zone = asked.timeZone ?? null
  const { name = null, notes = null, runType = null, rpe = null } = asked
  const words = normalised({ name, notes, runType, rpe })
  const recording = {
    id: Bun.randomUUIDv7(),
    origin: 'manual',
    kind: 'manual',
    startedAt,
    totals: statedNumbers(asked),
    words: { name: null, notes, runType, rpe, ...words, source: 'manual', device: null, gear: null },
    timeZone: zone,
    utcOffsetMinutes: zone === null ? (asked.utcOffsetMinutes ?? null) : utcOffsetMinutes(zone, startedAt),
    samples: null,
    channels: [],
    laps: [],
    corrections: [],
    hasRaw: false,
    hasEstimatedTimes: false,
    addedAt: now(),
  } satisfies NewRecording
  const shoeId = asked.shoeId === undefined ? defaultShoeId(db) : (asked.shoeId?.toLowerCase() ?? null)
  const said = { ...words, ...(asked.shoeId === undefined ? {} : { shoeId }) }
  const to: RunDocument = {
    track: { recordings: [recording.id], repairs: [] },
    words: Object.fromEntries(Object.entries(said).filter(([word]) => asked[word as RunnerWord] !== undefined)),
    ...(shoeId === null ? {} : { shoeId }),
    routeId: Bun.randomUUIDv7(),
    createdAt: now(),
  }
  const made = askedNow(db, deps)
  const derived = deriveRun({
    recordings: [{ kind: 'manual', said: recording.totals, samples: null }],
    repairs: [],
    primary: 0,
    durationS: asked.durationS,
    zones: zonesOrDefault(db),
    splitLengthM: made.splitUnitM,
    elevation: elevationOptions(deps),
    ours: { effort: false },
  })
  return { id, recording, change: { kind: 'run', id, from: null, to, asked: made, derived } as const }
}

/** The numbers entered; indoor runs have no climb. */
function statedNumbers({ indoor, avgCadenceSpm, ...asked }: Asked): Said {
  const avgCadenceRpm = avgCadenceSpm == null ? null : avgCadenceSpm / STEPS_PER_REVOLUTION
  const sent: { readonly [K in NumberName]?: number | null } = { ...asked, avgCadenceRpm }
  const stated = eachNumber((name) => (name === 'elevGainM' && indoor === true ? null : (sent[name] ?? null)))
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== null))
}
