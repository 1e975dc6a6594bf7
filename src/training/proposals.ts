import type { Static } from '@sinclair/typebox'
import type { StoredProfileEntry } from '../db/stored-training.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { isoDate, parseDay } from '../engine/calendar/weeks.ts'
import { EFFORT_DAYS, effortVdot, OLDEST_EFFORT_DAYS } from '../engine/training/chosen-efforts.ts'
import {
  isLthrWorthProposing,
  isMaxWorthProposing,
  isPaceWorthProposing,
  isStillRefused,
  isWorn,
  type ProposalKind,
  shoeLife,
} from '../engine/training/proposals.ts'
import { peakFrom } from '../engine/training/run/threshold-windows.ts'
import { isHardHalfHour, LONGEST_TEST_RACE_S, maxHeartRateOf, zonesOfLthr } from '../engine/training/thresholds.ts'
import { thresholdMps, thresholdPaceS } from '../engine/training/vdot.ts'
import { vdotByDay } from '../engine/training/vdot-by-day.ts'
import { METRES_PER_KM, roundHalfUp } from '../engine/units.ts'
import { invalid, notFound } from '../errors.ts'
import { changeSettings, zonesOrDefault } from '../library/settings.ts'
import { trainingOrDefault, zonesProfile } from '../library/training/profile.ts'
import { refusedValue, storeRefusal } from '../library/training/refusals.ts'
import { editShoe } from '../shoes/edit.ts'
import { wornShoes } from '../shoes/queries.ts'
import type { ProposalList, ProposalReply } from './estimate-schemas.ts'
import type { Asked } from './evidence.ts'
import type { PlainFacts } from './facts.ts'
import type { TrainingLibrary, Viewer } from './library.ts'
import { expectSound, NO_ENTRY } from './settings.ts'

const EVIDENCE_RUNS = 3
/** A peak counts after a minute at this share of the one-hour speed, or faster. */
const HARD_MINUTE = 0.9

export type Proposal = Static<typeof ProposalList>[number]

/** A run of the last year with its day. */
interface DatedRun {
  readonly run: PlainFacts
  readonly day: number
}

/** Differences between runs and profile, as proposals; none takes effect before it is accepted. */
export function proposals(deps: Deps, library: TrainingLibrary, asked: Asked): Proposal[] {
  const { viewer, facts } = asked
  const first = viewer.today - OLDEST_EFFORT_DAYS
  const runs = facts
    .map((run) => ({ run, day: library.dayOf(run, viewer) }))
    .filter(({ run, day }) => day >= first && day <= viewer.today && run.excluded === 0)
  const found = [
    maximum(library, asked, runs),
    limit(library, asked, runs),
    thresholdPace(library, asked),
    zones(deps, library, viewer),
    ...retirements(deps),
  ]
  return found.filter((proposal) => {
    if (proposal === null) return false
    const refused = refusedValue(deps.db, refusalOf(proposal))
    return refused === null || !isStillRefused(proposal.kind, refused, valueOfProposal(proposal))
  }) as Proposal[]
}

/** What a refusal is stored under: each pair of shoes is refused for itself. */
function refusalOf({ kind, shoeId }: Proposal): string {
  return shoeId === null ? kind : `${kind}-${shoeId}`
}

/**
 * Value by which proposals are compared; for zones the one-hour heart rate, where the last zone begins, for shoes their
 * mileage.
 */
function valueOfProposal({ kind, current, proposed }: Proposal): number {
  if (kind === 'retire' && typeof current === 'number') return current
  return typeof proposed === 'number' ? proposed : proposed[4]!
}

function named(
  kind: ProposalKind,
  said: Pick<Proposal, 'current' | 'proposed' | 'unit' | 'evidence' | 'confidence'>,
): Proposal {
  const value = typeof said.proposed === 'number' ? said.proposed : said.proposed.join('-')
  return { id: `${kind}-${value}`, kind, shoeId: null, ...said }
}

function maximum(library: TrainingLibrary, { viewer, efforts }: Asked, runs: readonly DatedRun[]): Proposal | null {
  const vdotOn = vdotOfDay(viewer, efforts)
  const peaks = runs
    .flatMap(({ run, day }) => {
      const paceS = library.profile(day).thresholdPaceS
      const vdot = vdotOn(day)
      const limitMps = paceS === null ? vdot && thresholdMps(vdot) : METRES_PER_KM / paceS
      if (limitMps === null || run.suspect === 1) return []
      const bpm = peakFrom(JSON.parse(run.peaks ?? '[]'), HARD_MINUTE * limitMps)
      return bpm === null ? [] : [{ run, day, bpm }]
    })
    .toSorted((a, b) => b.bpm - a.bpm)
  const proposed = maxHeartRateOf(peaks.map(({ bpm }) => bpm))
  const current = library.profile(viewer.today).maxHeartRateBpm.value
  if (proposed === null || !isMaxWorthProposing(current, proposed)) return null
  const evidence = peaks.slice(0, EVIDENCE_RUNS).map(({ run, day, bpm }) => evidenceOf(run, day, bpm))
  return named('maxHeartRate', { current, proposed, unit: 'bpm', evidence, confidence: 'medium' })
}

function vdotOfDay(viewer: Viewer, efforts: Asked['efforts']): (day: number) => number | null {
  return vdotByDay(
    efforts.flatMap((effort) => {
      const vdot = effortVdot(effort)
      return vdot === null ? [] : [{ day: viewer.today - effort.ageDays, vdot }]
    }),
  )
}

function limit(library: TrainingLibrary, { viewer, efforts }: Asked, runs: readonly DatedRun[]): Proposal | null {
  const vdotOn = vdotOfDay(viewer, efforts)
  const tests = runs.flatMap(({ run, day }) => {
    const isRace = run.runType === 'Race'
    if (viewer.today - day > EFFORT_DAYS || run.suspect === 1) return []
    if (isRace && run.raceBpm !== null) return [{ run, day, value: roundHalfUp(run.raceBpm), isRace }]
    if (run.best30Mps === null || run.best30Lthr === null) return []
    const effort = { isRace, durationS: run.durationS, vdot: vdotOn(day) }
    return isHardHalfHour({ speedMps: run.best30Mps }, effort)
      ? [{ run, day, value: run.best30Lthr, isRace: isRace && run.durationS <= LONGEST_TEST_RACE_S }]
      : []
  })
  const latest = tests.at(-1)
  const current = library.profile(viewer.today).lthrBpm.value
  if (latest === undefined || !isLthrWorthProposing(current, latest.value)) return null
  const { run, day, value, isRace } = latest
  const evidence = [evidenceOf(run, day, value)]
  return named('lthr', { current, proposed: value, unit: 'bpm', evidence, confidence: isRace ? 'high' : 'medium' })
}

function thresholdPace(library: TrainingLibrary, { viewer, vdot }: Asked): Proposal | null {
  const current = library.profile(viewer.today).thresholdPaceS
  if (current === null || vdot.value === null || vdot.best === null || vdot.chosen.isStale) return null
  const proposed = roundHalfUp(thresholdPaceS(vdot.value))
  if (!isPaceWorthProposing(current, proposed)) return null
  const { workoutId, ageDays } = vdot.best
  // in the unit of the proposal: the one-hour pace that the effort implies
  const value = roundHalfUp(thresholdPaceS(vdot.best.vdot), 1)
  const evidence = [{ workoutId, date: isoDate(viewer.today - ageDays), value }]
  return named('thresholdPace', {
    current,
    proposed,
    unit: 's/km',
    evidence,
    confidence: vdot.estimate.confidence ?? 'low',
  })
}

/** Proposes zones by the known one-hour heart rate, when other zones are stored. */
function zones({ db }: Deps, library: TrainingLibrary, { today }: Viewer): Proposal | null {
  const { lthrBpm, maxHeartRateBpm } = library.profile(today)
  if (lthrBpm.source !== 'runner') return null
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
function retirements({ db }: Deps): Proposal[] {
  const pairs = wornShoes(db)
  const retiredM = pairs.flatMap(({ retiredAt, mileageM }) => (retiredAt === null ? [] : [mileageM]))
  return pairs.flatMap(({ id: shoeId, retiredAt, retireAtM, mileageM }) => {
    const { lifeM, confidence } = shoeLife(retireAtM, retiredM)
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
 * @throws AppError 404 when the proposal no longer holds, 400 for an invalid date or values that contradict others
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
  if (parseDay(from) === null) throw invalid('from must be a real date of the form yyyy-MM-dd')
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
