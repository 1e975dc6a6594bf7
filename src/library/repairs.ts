import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { repairs, weatherJobs, workoutSplits, workouts } from '../db/schema.ts'
import { archivedBestEfforts, workoutBestEfforts } from '../db/schema-efforts.ts'
import type { Before, RepairData, StashedEffort, StashedSplit } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import type { Numbers } from '../engine/numbers.ts'
import { changesEffort, changesSamples, type NumbersRepair, type Repair } from '../engine/repair/repairs.ts'
import { type DerivedRun, deriveRun } from '../workers/derive.ts'
import { insertSplits } from './add-workout.ts'
import type { Finish } from './change-run.ts'
import { boundsOfZones, elevationOptions, type RunJob, runJob } from './inputs.ts'
import { storedNumbers, touchInputs, writeRun } from './numbers.ts'
import { activeRepairRows, choosePrimary, nextRepair, recordingsOf, repairOf, type StoredRepair } from './recordings.ts'
import { effortId, splitId, storedEffortId } from './row-ids.ts'
import { splitUnitM, unitPreference, zonesOrDefault } from './settings.ts'
import { placeTime, utcOffsetMinutes } from './time-zone.ts'
import { enqueueWeather, servedWeather, weatherColumns } from './weather.ts'

// What the runner changed: written once, in order, and taken back by a time stamp. All in the caller's transaction.

type Needs = Pick<Deps, 'config' | 'now'>
type WorkoutRow = typeof workouts.$inferSelect

/** A run that was moved in time is another hour's weather. */
const moves = (repair: Repair) => (repair.kind === 'shift' || repair.kind === 'numbers') && repair.offsetMs !== 0

/**
 * Adds a repair to a workout. One that changes its samples is scored with the zones stored now and cut in the preferred unit;
 * what an archive said of splits and efforts is kept with the repair until it is taken back.
 * @returns what writes the numbers as the repair leaves them; null for an unknown workout
 */
export function addRepair(tx: Tx, deps: Needs, id: string, repair: Repair): Finish | null {
  const nowMs = deps.now()
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (stored === undefined) return null
  const isResampled = changesSamples(repair)
  const { kind, ...change } = repair
  const before: Before = {
    zonesBefore: stored.effortZones,
    before: {
      timeZone: stored.timeZone,
      utcOffsetMinutes: stored.utcOffsetMinutes,
      splits: isResampled ? stashedSplits(tx, id) : [],
      efforts: isResampled ? stashedEfforts(tx, id) : [],
      ...(moves(repair) ? { weather: stored.weather } : {}),
      ...(kind === 'numbers' ? { numbers: storedNumbers(stored) } : {}),
    },
  }
  const data = { ...change, ...before } as RepairData
  tx.insert(repairs)
    .values({ id: Bun.randomUUIDv7(), workoutId: id, seq: nextRepair(tx, id), kind, data, madeAt: nowMs })
    .run()
  begin(tx, id, repair)
  if (moves(repair)) askWeatherAnew(tx, deps, stored)
  const known = kind === 'numbers' ? withSaid(storedNumbers(stored), repair) : undefined
  return (derived, job) => writeRepaired(tx, { id, nowMs, known }, derived, job)
}

/** What a repair of the samples takes the place of. */
function begin(tx: Tx, id: string, repair: Repair): void {
  if (changesSamples(repair)) {
    tx.delete(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, id)).run()
    tx.update(workouts)
      .set({ splitUnitM: splitUnitM(unitPreference(tx)), effortZones: boundsOfZones(zonesOrDefault(tx)) })
      .where(eq(workouts.id, id))
      .run()
  }
  touchInputs(tx, id)
}

/** What is known of a run without samples when the runner says some of it; what followed from that is not known any more. */
function withSaid(known: Numbers, { values, ...repair }: NumbersRepair): Numbers {
  const isOther = values.distanceM !== undefined || values.durationS !== undefined
  return {
    ...known,
    ...(isOther ? { gapPaceS: null, avgSpeedMps: null } : {}),
    ...(changesEffort({ ...repair, values }) ? { relativeEffort: null, hrZoneSeconds: null } : {}),
    ...(values as Partial<Numbers>),
  }
}

/**
 * Takes all active repairs back, in one step: the state before the first of them, scored with the zones of then. A part of a
 * split stays one, and what was joined stays joined.
 * @returns what writes the numbers of the whole; null when none is active
 */
export function revertRepairs(tx: Tx, deps: Needs, id: string): Finish | null {
  return undoRepairs(
    tx,
    deps,
    id,
    activeRepairRows(tx, id)
      .filter(({ kind }) => kind !== 'split' && kind !== 'join')
      .map((row) => row.id),
  )
}

/**
 * Takes some active repairs back. Those that were made last give way to the state of before them, with the splits and the
 * efforts of then; of others everything is derived anew.
 * @returns what writes the numbers; null when none of them is active
 */
export function undoRepairs(tx: Tx, deps: Needs, id: string, repairIds: readonly string[]): Finish | null {
  const active = activeRepairRows(tx, id)
  const undone = active.filter((row) => repairIds.includes(row.id))
  const rest = active.filter((row) => !repairIds.includes(row.id))
  const [first] = undone
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (first === undefined || stored === undefined) return null
  const nowMs = deps.now()
  tx.update(repairs)
    .set({ undoneAt: nowMs })
    .where(
      inArray(
        repairs.id,
        undone.map((row) => row.id),
      ),
    )
    .run()
  const isLatest = rest.every((row) => row.seq < first.seq)
  const isResampled = (row: StoredRepair) => changesSamples(repairOf(row))
  const resampled = undone.find(isResampled)
  const isWhole = !rest.some(isResampled)
  // of an earlier one that was active when this one was made, and is no more: that knows the state of before both
  const oldest = (row: StoredRepair, among: (row: StoredRepair) => boolean) => outlived(tx, row, among)
  const source = resampled && (isWhole ? oldest(resampled, isResampled) : isLatest ? resampled : undefined)
  if (rest.length === 0 || isLatest) {
    const { timeZone, utcOffsetMinutes: offset } = (rest.length === 0 ? oldest(first, () => true) : first).data.before
    tx.update(workouts).set({ timeZone, utcOffsetMinutes: offset }).where(eq(workouts.id, id)).run()
  }
  if (source !== undefined) {
    tx.update(workouts).set({ effortZones: source.data.zonesBefore }).where(eq(workouts.id, id)).run()
    returnSplits(tx, id, source.data.before.splits)
  }
  const moved = undone.find((row) => moves(repairOf(row)))
  if (moved !== undefined) {
    const before = rest.some((row) => moves(repairOf(row))) && !isLatest ? undefined : moved.data.before.weather
    if (before === undefined) askWeatherAnew(tx, deps, stored)
    else returnWeather(tx, deps, { id, weather: before })
  }
  if (rest.length === 0) choosePrimary(tx, id)
  touchInputs(tx, id)
  const known = undone.find((row) => row.kind === 'numbers')?.data.before.numbers
  return (derived, job) => {
    writeRepaired(tx, { id, nowMs, known, keepsPlace: rest.length === 0 || isLatest }, derived, job)
    if (source !== undefined) returnEfforts(tx, id, source.data.before.efforts)
  }
}

/**
 * Does repairs once more that were taken back.
 * @returns what writes the numbers; null when none of them is taken back
 */
export function redoRepairs(tx: Tx, deps: Needs, id: string, repairIds: readonly string[]): Finish | null {
  const rows = tx
    .update(repairs)
    .set({ undoneAt: null })
    .where(and(eq(repairs.workoutId, id), inArray(repairs.id, [...repairIds]), isNotNull(repairs.undoneAt)))
    .returning()
    .all()
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (rows.length === 0 || stored === undefined) return null
  for (const row of rows) begin(tx, id, repairOf(row))
  if (rows.some((row) => moves(repairOf(row)))) askWeatherAnew(tx, deps, stored)
  const known = rows.reduce((numbers, row) => {
    const repair = repairOf(row)
    return repair.kind === 'numbers' ? withSaid(numbers, repair) : numbers
  }, storedNumbers(stored))
  return (derived, job) => writeRepaired(tx, { id, nowMs: deps.now(), known }, derived, job)
}

/** The earliest of those that were active when this one was made, and then when that one was made, and are taken back. */
function outlived(tx: Tx, row: StoredRepair, among: (row: StoredRepair) => boolean): StoredRepair {
  const all = tx.select().from(repairs).where(eq(repairs.workoutId, row.workoutId)).orderBy(repairs.seq).all()
  let found = row
  for (;;) {
    const { seq, madeAt } = found
    const earlier = all.find((other) => other.seq < seq && (other.undoneAt ?? 0) > madeAt && among(other))
    if (earlier === undefined) return found
    found = earlier
  }
}

interface Settling {
  readonly id: string
  readonly nowMs: number
}

/** Derives everything of one workout on this thread, as part of the caller's transaction. */
export function settle(tx: Tx, deps: Pick<Deps, 'config'>, { id, nowMs }: Settling): void {
  const elevation = elevationOptions(deps)
  const job = runJob(tx, id, elevation)
  if (job !== null) writeRun(tx, id, { derived: deriveRun(job), zones: job.zones, elevation, nowMs })
}

interface Writing extends Settling {
  readonly known?: Numbers | undefined
  /** The local time stands already. */
  readonly keepsPlace?: boolean
}

/** What repairs left may begin later, and elsewhere: a cut may cross a border or a change of the clocks. */
function writeRepaired(
  tx: Tx,
  { id, nowMs, known, keepsPlace = false }: Writing,
  derived: DerivedRun,
  { zones, elevation, repairs: active }: RunJob,
): void {
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (stored === undefined) return
  const startedAt = (recordingsOf(tx, id)[0]?.startedAt ?? stored.startedAt) + derived.startShiftMs
  tx.update(workouts)
    .set({ startedAt, ...(keepsPlace ? {} : localTime(stored, { derived, startedAt, active })) })
    .where(eq(workouts.id, id))
    .run()
  writeRun(tx, id, { derived, zones, elevation, nowMs, ...(known === undefined ? {} : { known }) })
}

/** What the runner says of it, else the place, else as it was. */
function localTime(
  { timeZone, utcOffsetMinutes: offset }: WorkoutRow,
  {
    derived,
    startedAt,
    active,
  }: { readonly derived: DerivedRun; readonly startedAt: number; readonly active: readonly Repair[] },
): Pick<WorkoutRow, 'timeZone' | 'utcOffsetMinutes'> {
  const said = active.findLast((repair) => repair.kind === 'shift' && repair.timeZone !== null)
  const place = placeTime(derived.firstPosition, null, startedAt)
  const zone = said?.kind === 'shift' ? said.timeZone : (place.zone ?? timeZone)
  return { timeZone: zone, utcOffsetMinutes: zone === null ? offset : utcOffsetMinutes(zone, startedAt) }
}

/** That of a lookup is of another hour; that of a file stays. */
function askWeatherAnew(tx: Tx, { config, now }: Needs, { id, weather }: Pick<WorkoutRow, 'id' | 'weather'>): void {
  const isLookedUp = servedWeather(weather)?.source === 'open_meteo'
  if (isLookedUp) setWeather(tx, id, null)
  if (!config.weatherEnabled || !(isLookedUp || weather === null)) return
  tx.delete(weatherJobs).where(eq(weatherJobs.workoutId, id)).run()
  enqueueWeather(tx, id, now())
}

/** What was known before is not asked once more, unless it was not final. */
function returnWeather(
  tx: Tx,
  { config, now }: Needs,
  { id, weather }: { readonly id: string; readonly weather: string | null },
): void {
  setWeather(tx, id, weather)
  tx.delete(weatherJobs).where(eq(weatherJobs.workoutId, id)).run()
  const isOpen = weather === null || servedWeather(weather)?.quality === 'preliminary'
  if (isOpen && config.weatherEnabled) enqueueWeather(tx, id, now())
}

function setWeather(tx: Tx, id: string, weather: string | null): void {
  tx.update(workouts)
    .set({ weather, ...weatherColumns(servedWeather(weather)) })
    .where(eq(workouts.id, id))
    .run()
}

function stashedSplits(tx: Tx, workoutId: string): StashedSplit[] {
  const rows = tx.select().from(workoutSplits).where(eq(workoutSplits.workoutId, workoutId)).orderBy(workoutSplits.idx)
  return rows.all().map(({ workoutId: _, ...split }) => ({ ...split, id: splitId({ ...split, workoutId }) }))
}

/** Those that only an archive knows, and those that the samples give, whose ids may be an archive's. */
function stashedEfforts(tx: Tx, workoutId: string): StashedEffort[] {
  const archived = tx.select().from(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, workoutId)).all()
  const own = tx.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, workoutId)).all()
  const stashed = (isArchived: boolean) => (row: (typeof archived)[number]) => {
    const { id, distanceIndex, timeMs, calculatedAt } = row
    return { id, distanceIndex, timeMs, calculatedAt, isArchived }
  }
  return [...archived.map(stashed(true)), ...own.map((row) => ({ ...row, id: effortId(row) })).map(stashed(false))]
}

/** As they were, where an archive said them; those that are cut anew find their ids there. */
function returnSplits(tx: Tx, workoutId: string, splits: readonly StashedSplit[]): void {
  tx.delete(workoutSplits).where(eq(workoutSplits.workoutId, workoutId)).run()
  insertSplits(
    tx,
    splits.map((split) => ({ ...split, workoutId })),
  )
  tx.update(workouts).set({ splitsCount: splits.length }).where(eq(workouts.id, workoutId)).run()
}

function returnEfforts(tx: Tx, workoutId: string, efforts: readonly StashedEffort[]): void {
  const { workoutId: ofWorkout, distanceIndex: ofDistance, timeMs: ofTime } = workoutBestEfforts
  for (const { isArchived, ...effort } of efforts) {
    const { id, distanceIndex, timeMs, calculatedAt } = effort
    const archived = tx.insert(archivedBestEfforts).values({ ...effort, workoutId })
    const own = tx
      .update(workoutBestEfforts)
      .set({ id: storedEffortId({ id, workoutId, distanceIndex }), calculatedAt })
    if (isArchived) archived.onConflictDoNothing().run()
    else own.where(and(eq(ofWorkout, workoutId), eq(ofDistance, distanceIndex), eq(ofTime, timeMs))).run()
  }
}
