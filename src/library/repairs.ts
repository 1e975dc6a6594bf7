import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { repairs, weatherJobs, workouts } from '../db/schema.ts'
import { archivedBestEfforts } from '../db/schema-efforts.ts'
import type { Before, RepairData } from '../db/stored.ts'
import type { Deps } from '../deps.ts'
import type { Numbers } from '../engine/numbers.ts'
import { changesEffort, changesSamples, type NumbersRepair, type Repair } from '../engine/repair/repairs.ts'
import { type DerivedRun, deriveRun } from '../workers/derive.ts'
import type { Finish } from './change-run.ts'
import { boundsOfZones, elevationOptions, type RunInputs, runJob } from './inputs.ts'
import { storedNumbers, touchInputs, writeRun } from './numbers.ts'
import { activeRepairRows, choosePrimary, nextRepair, recordingsOf, repairOf, type StoredRepair } from './recordings.ts'
import { splitUnitM, unitPreference, zonesOrDefault } from './settings.ts'
import { returnEfforts, returnSplits, stashedEfforts, stashedSplits } from './stash.ts'
import { placeTime, utcOffsetMinutes } from './time-zone.ts'
import { enqueueWeather, servedWeather, weatherColumns } from './weather.ts'

// Repairs are written once, in order, and reverted by a time stamp. Everything runs in the caller's transaction.

type Needs = Pick<Deps, 'config' | 'now'>
type WorkoutRow = typeof workouts.$inferSelect

/** Whether a repair moves the run in time, so that its weather is that of another hour. */
const moves = (repair: Repair) => (repair.kind === 'shift' || repair.kind === 'numbers') && repair.offsetMs !== 0

/**
 * Adds a repair to a workout. If it changes the samples, the run is scored with the zones stored now and split in the
 * preferred unit; splits and efforts from an archive are kept with the repair until it is reverted.
 * @returns a function that writes the repaired numbers; null for an unknown workout
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

/** Keeps with a repair of the samples what it replaces. */
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

/** The numbers of a run without samples after the runner set some; those that depend on these become unknown. */
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
 * Reverts all active repairs at once: to the state before the first of them, scored with the zones of that time. A part
 * of a split run stays a part, and joined runs stay joined.
 * @returns a function that writes the numbers of the whole; null when none is active
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
 * Reverts some active repairs. If they are the last ones, the splits and efforts from before them return; otherwise
 * everything is derived again.
 * @returns a function that writes the numbers; null when none of them is active
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
  // an earlier repair that was active when this one was made, and is reverted now, kept the state before both
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
 * Applies reverted repairs again.
 * @returns a function that writes the numbers; null when none of them is reverted
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

/** The earliest of the repairs active when this one was made (and so on recursively) that are reverted now. */
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

/** Derives all numbers of one workout on this thread, in the caller's transaction. */
export function settle(tx: Tx, deps: Pick<Deps, 'config'>, { id, nowMs }: Settling): void {
  const elevation = elevationOptions(deps)
  const job = runJob(tx, id, elevation)
  if (job !== null) writeRun(tx, id, { derived: deriveRun(job), zones: job.zones, elevation, nowMs })
}

interface Writing extends Settling {
  readonly known?: Numbers | undefined
  /** Whether the local time is written already. */
  readonly keepsPlace?: boolean
}

/** Writes repaired numbers and the local time: after a cut, a run may begin in another zone or after a clock change. */
function writeRepaired(
  tx: Tx,
  { id, nowMs, known, keepsPlace = false }: Writing,
  derived: DerivedRun,
  { zones, elevation, repairs: active }: RunInputs,
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

/** The time zone that the runner set, else that of the place, else the former one. */
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

/** Weather from a lookup belongs to another hour now and is looked up again; weather from a file stays. */
function askWeatherAnew(tx: Tx, { config, now }: Needs, { id, weather }: Pick<WorkoutRow, 'id' | 'weather'>): void {
  const isLookedUp = servedWeather(weather)?.source === 'open_meteo'
  if (isLookedUp) setWeather(tx, id, null)
  if (!config.weatherEnabled || !(isLookedUp || weather === null)) return
  tx.delete(weatherJobs).where(eq(weatherJobs.workoutId, id)).run()
  enqueueWeather(tx, id, now())
}

/** Puts weather back as it was before, and looks it up again only if it was not final. */
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
