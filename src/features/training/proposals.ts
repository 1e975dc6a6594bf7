import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { type StoredProfileEntry, trainingRefusals } from '../../db/schema-training.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'
import { isUsed, limitMpsOn, thresholdSdOn, vdotOn } from '../../engine/training/latent/fitness-readings.ts'
import { oneHourBpm, proposedLthr } from '../../engine/training/latent/lthr-proposal.ts'
import { median } from '../../engine/training/numbers.ts'
import { profileOn } from '../../engine/training/profile.ts'
import {
  isMaxWorthProposing,
  isPaceWorthProposing,
  isStillRefused,
  isWorn,
  type ProposalKind,
  shoeLife,
} from '../../engine/training/proposals.ts'
import { averageHistogram, averageSpeedHistogram } from '../../engine/training/run/histograms.ts'
import { peakFrom } from '../../engine/training/run/threshold-windows.ts'
import { isHardHalfHour, isTestRace, maxHeartRateOf, zonesOfLthr } from '../../engine/training/thresholds.ts'
import { heartRateLoads, paceLoad } from '../../engine/training/training-load.ts'
import { thresholdMps, thresholdPaceS } from '../../engine/training/vdot.ts'
import { METRES_PER_KM, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { raced } from '../../library/race-efforts.ts'
import { changeSettings, zonesOrDefault } from '../../library/settings.ts'
import { profileEntries, trainingOrDefault, zonesProfile } from '../../library/training/profile.ts'
import { unpackedPeaks } from '../../workers/training.ts'
import { editShoe } from '../shoes/edit.ts'
import { wornShoes } from '../shoes/queries.ts'
import type { ProposalList, ProposalReply } from './estimate-schemas.ts'
import { type Asked, EVIDENCE_DAYS } from './evidence.ts'
import type { PlainFacts } from './facts.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import { expectSound, NO_ENTRY } from './settings.ts'

const EVIDENCE_RUNS = 3
/** A peak counts after a minute at this share of the one-hour speed, or faster. */
const HARD_MINUTE = 0.9
/** Half hours that are no race are tests with this share of the maximum, while fitness is known as well as this. */
const HARD_PULSE = 0.85
const MOST_TEST_SD = 0.04
const TEST_DAYS = 90
const PACE_RACE_DAYS = 182
/** A two-sided test at 1 %. */
const SURE_SPREADS = 2.576
/** A threshold pace is proposed as the scale of loads when it changes them by so many per cent. */
const LEAST_LOADS_PCT = 1.5

export type Proposal = Static<typeof ProposalList>[number]
/** Before it is known how it changes loads. */
type Found = Omit<Proposal, 'loadsPct'>

/** A run of the last year with its day. */
interface DatedRun {
  readonly run: PlainFacts
  readonly day: number
  readonly isRace: boolean
}

/** Differences between runs and profile, as proposals; none takes effect before it is accepted. */
export function proposals(deps: Deps, library: TrainingLibrary, asked: Asked): Proposal[] {
  const { viewer, facts } = asked
  const first = viewer.today - EVIDENCE_DAYS
  const { isRace } = raced(deps.db)
  const runs = facts
    .map((run) => ({ run, day: library.dayOf(run, viewer), isRace: isRace(run) }))
    .filter(({ run, day }) => day >= first && day <= viewer.today && run.excluded === 0)
  const found = [
    maximum(library, asked, runs),
    limit(library, asked, runs),
    thresholdPace(library, asked),
    zones(deps, library, viewer),
    ...retirements(deps),
  ]
  return found.flatMap((proposal) => {
    if (proposal === null) return []
    const refused = refusedValue(deps.db, refusalOf(proposal))
    if (refused !== null && isStillRefused(proposal.kind, refused, valueOfProposal(proposal))) return []
    if (proposal.kind === 'zones' || proposal.kind === 'retire') return [{ ...proposal, loadsPct: null }]
    const change = { [FIELDS[proposal.kind]]: proposal.proposed }
    const loadsPct = loadChangePct(deps, library, { asked, change })
    // where none is set, it is only of use as a scale
    const isUseless = proposal.current === null && (loadsPct === null || Math.abs(loadsPct) < LEAST_LOADS_PCT)
    return isUseless ? [] : [{ ...proposal, loadsPct: roundedOrNull(loadsPct) }]
  })
}

/** What a refusal is stored under: each pair of shoes is refused for itself. */
function refusalOf({ kind, shoeId }: Found): string {
  return shoeId === null ? kind : `${kind}-${shoeId}`
}

/**
 * Value by which proposals are compared; for zones the one-hour heart rate, where the last zone begins, for shoes their
 * mileage.
 */
function valueOfProposal({ kind, current, proposed }: Found): number {
  if (kind === 'retire' && typeof current === 'number') return current
  return typeof proposed === 'number' ? proposed : proposed[4]!
}

function named(
  kind: ProposalKind,
  said: Pick<Found, 'current' | 'proposed' | 'unit' | 'evidence' | 'confidence'>,
): Found {
  const value = typeof said.proposed === 'number' ? said.proposed : said.proposed.join('-')
  return { id: `${kind}-${value}`, kind, shoeId: null, ...said }
}

function maximum(library: TrainingLibrary, { viewer, vdot }: Asked, runs: readonly DatedRun[]): Found | null {
  const fit = vdot.fitness?.fit ?? null
  const peaks = runs
    .flatMap(({ run, day }) => {
      const limitMps = limitMpsOn(library.profile(day), fit, day)
      if (limitMps === null || run.suspect === 1 || run.peaks === null) return []
      const bpm = peakFrom(unpackedPeaks(run.peaks), HARD_MINUTE * limitMps)
      return bpm === null ? [] : [{ run, day, bpm }]
    })
    .toSorted((a, b) => b.bpm - a.bpm)
  const proposed = maxHeartRateOf(peaks.map(({ bpm }) => bpm))
  const current = library.profile(viewer.today).maxHeartRateBpm.value
  if (proposed === null || !isMaxWorthProposing(current, proposed)) return null
  const evidence = peaks.slice(0, EVIDENCE_RUNS).map(({ run, day, bpm }) => evidenceOf(run, day, bpm))
  return named('maxHeartRate', { current, proposed, unit: 'bpm', evidence, confidence: 'medium' })
}

/** Tests of 90 days: races of about an hour, and half hours that were as hard; easy runs never are. */
function limit(library: TrainingLibrary, { viewer, vdot }: Asked, runs: readonly DatedRun[]): Found | null {
  if (vdot.fitness === null) return null
  const { fit, run: storedRun } = vdot.fitness
  const isCalm = fit.sd(viewer.today, null) <= MOST_TEST_SD
  const places = new Map(vdot.rows.map(({ id, place }) => [id, place]))
  const tests = runs.flatMap(({ run, day, isRace: isDeclared }) => {
    const { best30Mps: mps, best30Lthr: bpm } = run
    if (viewer.today - day > TEST_DAYS || run.suspect === 1 || mps === null || bpm === null) return []
    const { maxHeartRateBpm, restingHeartRateBpm } = library.profile(day)
    const vdotOfDay = vdotOn(fit, day).value
    const isRace = isTestRace(isDeclared, run.durationS)
    const isHard = isCalm && isHardHalfHour(mps, vdotOfDay) && bpm >= HARD_PULSE * maxHeartRateBpm.value
    if (!isRace && !isHard) return []
    const place = places.get(run.id)
    const racedVdot = isRace && place !== undefined ? (storedRun(place).best?.vdot ?? null) : null
    const test = { restBpm: restingHeartRateBpm.value, bpm, mps, oneHourMps: thresholdMps(racedVdot ?? vdotOfDay) }
    return [{ run, day, isRace, test, value: oneHourBpm(test) }]
  })
  const current = library.profile(viewer.today).lthrBpm.value
  const proposed = proposedLthr(
    tests.map(({ test }) => test),
    { current, sigma: fit.sigma },
  )
  if (proposed === null) return null
  const evidence = tests.slice(-EVIDENCE_RUNS).map(({ run, day, value }) => evidenceOf(run, day, value))
  const confidence = tests.some(({ isRace }) => isRace) ? 'high' : 'medium'
  return named('lthr', { current, proposed, unit: 'bpm', evidence, confidence })
}

/** A race of half a year that says otherwise than the pace that was set, or the scale where none was. */
function thresholdPace(library: TrainingLibrary, { viewer, vdot }: Asked): Found | null {
  const current = library.profile(viewer.today).thresholdPaceS
  const race = vdot.rows.findLast((row) => row.kind === 'R' && isUsed(row) && viewer.today - row.day <= PACE_RACE_DAYS)
  if (vdot.value === null || vdot.fitness === null || race === undefined) return null
  const { fit, run } = vdot.fitness
  const paceS = thresholdPaceS(vdot.value)
  const proposed = roundHalfUp(paceS)
  const isSure = (set: number) => Math.abs(Math.log(paceS / set)) > SURE_SPREADS * thresholdSdOn(fit, viewer.today)
  if (current !== null && (!isSure(current) || !isPaceWorthProposing(current, proposed))) return null
  // in the unit of the proposal: the one-hour pace that the race implies
  const value = roundHalfUp(thresholdPaceS(run(race.place).best!.vdot), 1)
  const evidence = [{ workoutId: race.id, date: isoDate(race.day), value }]
  return named('thresholdPace', {
    ...{ current, proposed, unit: 's/km', evidence },
    confidence: vdot.estimate.confidence ?? 'low',
  })
}

/** Proposes zones by the one-hour heart rate, when other zones are stored and it, or a higher maximum, is known. */
function zones({ db }: Deps, library: TrainingLibrary, { today }: Viewer): Found | null {
  const { lthrBpm, maxHeartRateBpm } = library.profile(today)
  // zones that end below the runner's maximum are not those of that heart either
  const isHigher = maxHeartRateBpm.source === 'runner' && maxHeartRateBpm.value > zonesOrDefault(db).at(-1)!.maxBpm
  if (lthrBpm.source !== 'runner' && !isHigher) return null
  const bounds = (all: readonly { minBpm: number; maxBpm: number }[]) => [
    ...all.map(({ minBpm }) => minBpm),
    all.at(-1)!.maxBpm,
  ]
  const current = bounds(zonesOrDefault(db))
  const proposed = bounds(zonesOfLthr(lthrBpm.value, maxHeartRateBpm.value))
  if (Bun.deepEquals(current, proposed)) return null
  return named('zones', { current, proposed, unit: 'bpm', evidence: [], confidence: 'medium' })
}

/** Proposes to retire the pairs that are near the end of their life. */
function retirements({ db }: Deps): Found[] {
  const pairs = wornShoes(db)
  return pairs.flatMap(({ id: shoeId, retiredAt, retireAtM, mileageM }) => {
    const { lifeM, confidence } = shoeLife(retireAtM)
    if (retiredAt !== null || !isWorn(mileageM, lifeM)) return []
    const [current, proposed] = [roundHalfUp(mileageM), roundHalfUp(lifeM)]
    const id = `retire-${shoeId}-${proposed}`
    return [{ id, kind: 'retire', shoeId, current, proposed, unit: 'm', evidence: [], confidence }]
  })
}

function evidenceOf({ id }: PlainFacts, day: number, value: number): Proposal['evidence'][number] {
  return { workoutId: id, date: isoDate(day), value: roundHalfUp(value, 1) }
}

const FIELDS = { maxHeartRate: 'maxHeartRateBpm', lthr: 'lthrBpm', thresholdPace: 'thresholdPaceS' } as const

/**
 * Accepts a proposal, which writes a profile entry or retires a pair of shoes, or rejects it. Accepting zones writes
 * nothing here, since zones are stored by their own route.
 * @returns the entry; null when none was written
 * @throws AppError 404 when the proposal no longer holds, 400 for values that contradict others
 */
export function answerProposal(
  deps: Deps,
  library: TrainingLibrary,
  { id, reply, ...asked }: Asked & { readonly id: string; readonly reply: Static<typeof ProposalReply> },
): StoredProfileEntry | null {
  const proposal = proposals(deps, library, asked).find((held) => held.id === id)
  if (proposal === undefined) throw notFound('Proposal')
  if (!reply.accept) {
    storeRefusal(deps.db, refusalOf(proposal), valueOfProposal(proposal), deps.now())
    return null
  }
  if (proposal.shoeId !== null) editShoe(deps, proposal.shoeId, { retiredAt: isoTime(deps.now()) })
  if (proposal.kind === 'zones' || proposal.kind === 'retire') return null
  const from = reply.from ?? isoDate(asked.viewer.today)
  const field = FIELDS[proposal.kind]
  return deps.db.transaction((tx) => {
    const settings = trainingOrDefault(tx)
    const known = settings.entries.find((entry) => entry.from === from)
    const entry: StoredProfileEntry = { ...NO_ENTRY, ...known, from, [field]: proposal.proposed }
    const others = settings.entries.filter((other) => other.from !== from)
    const entries = [...others, entry].toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
    const changed = { ...settings, entries }
    expectSound(changed, zonesProfile(tx))
    changeSettings(tx, deps, { training: changed })
    return entry
  })
}

/** The value of a proposal that the runner rejected; null: never rejected. */
function refusedValue(tx: Tx, kind: string): number | null {
  const { value } = trainingRefusals
  return tx.select({ value }).from(trainingRefusals).where(eq(trainingRefusals.kind, kind)).get()?.value ?? null
}

function storeRefusal(tx: Tx, kind: string, value: number, nowMs: number): void {
  tx.insert(trainingRefusals)
    .values({ kind, value, madeAt: nowMs })
    .onConflictDoUpdate({ target: trainingRefusals.kind, set: { value, madeAt: nowMs } })
    .run()
}

const HOUR_S = 3600
/** Days up to today whose middle run stands for the others. */
const TYPICAL_DAYS = 90

/**
 * By how many per cent the load of the runner's middle hour changes with another value of the profile.
 * @returns null: no load follows from it
 */
function loadChangePct(
  { db }: Pick<Deps, 'db'>,
  library: TrainingLibrary,
  { asked: { viewer, vdot, facts }, change }: { readonly asked: Asked; readonly change: Partial<StoredProfileEntry> },
): number | null {
  const { sex, entries } = library.settings()
  const { today } = viewer
  const recent = facts.filter((run) => today - library.dayOf(run, viewer) < TYPICAL_DAYS && run.movingS > 0)
  const before = library.profile(today)
  const changed = [
    ...profileEntries({ entries: [{ ...NO_ENTRY, from: isoDate(today), ...change }] }),
    ...profileEntries({ entries }),
  ]
  const after = profileOn(today, changed, zonesProfile(db))
  if (change.thresholdPaceS === undefined) {
    const pulses = recent.flatMap(({ source, steadyBpm }) => (source === 'heartRate' ? (steadyBpm ?? []) : []))
    const load = (profile: typeof before) =>
      heartRateLoads(profile, sex)(averageHistogram(median(pulses), HOUR_S), HOUR_S).load
    return pulses.length === 0 ? null : ratioPct(load(before), load(after))
  }
  const scale = paceScale(db, recent.findLast(({ source }) => source === 'pace')?.id)
  const beforeMps = limitMpsOn(before, vdot.fitness?.fit ?? null, today)
  if (scale === null || beforeMps === null) return null
  const middleMps = median(recent.map(({ distanceM, movingS }) => distanceM / movingS))
  const load = (thresholdMps: number) =>
    paceLoad(averageSpeedHistogram(HOUR_S * middleMps, HOUR_S), { thresholdMps, sex })
  return ratioPct(scale * load(beforeMps), load(METRES_PER_KM / after.thresholdPaceS!))
}

function ratioPct(before: number | null, after: number | null): number | null {
  return before === null || after === null || !(before > 0) ? null : 100 * (after / before - 1)
}

/** What the load by pace of a run was multiplied by; null: heart rate calibrates it, so a threshold is no scale. */
function paceScale(db: Deps['db'], id: string | undefined): number | null {
  if (id === undefined) return null
  const asked = 'SELECT factor, factor_n AS n FROM workout_load WHERE workout_id = ?'
  const row = db.$client.query<{ factor: number | null; n: number | null }, [string]>(asked).get(id)
  return row === null || (row.n ?? 0) > 0 ? null : (row.factor ?? 1)
}
