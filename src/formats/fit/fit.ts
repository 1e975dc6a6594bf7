import { LENGTHS } from '../../base/texts.ts'
import { MAX_OFFSET_MINUTES } from '../../engine/calendar/weeks.ts'
import { isHeartRate } from '../../engine/grid.ts'
import type { Correction } from '../../engine/judge/correction.ts'
import { judgedPauses } from '../../engine/judge/pauses.ts'
import { type RunType, SHORTEST_RUN_S } from '../../engine/limits.ts'
import type { DeviceTotals } from '../../engine/numbers.ts'
import { roundHalfUp } from '../../engine/units.ts'
import {
  type Activity,
  type Format,
  FormatError,
  type ParsedFile,
  type ParseOptions,
  present,
  UNSAID,
} from '../format.ts'
import { otherSportError, runTypeOf } from '../sport.ts'
import { sportsNamed } from '../sport-words.ts'
import { cleanText, textOf } from '../text-values.ts'
import { thinning } from '../thinned.ts'
import { type FitTimeline, fitTimeline, type SessionClock, sessionClock, unixS } from './clock.ts'
import { decodeFit, type FitFile, type FitPart, hasFitHeader } from './decode.ts'
import { fitDevice } from './device.ts'
import { mergeHeartRates } from './heart-rates.ts'
import { fitLaps } from './laps.ts'
import { FIT_EPOCH_S } from './profile.ts'
import { rawPoints, rawSession, rawWeather, saysHeartRate } from './raw.ts'
import { fitRecording, recordedBetweenM, recordedDistanceM } from './recording.ts'
import type { FitRecords } from './records.ts'
import { type FitSession, fitActivities, fitSessions } from './sessions.ts'
import { seamsMs, timerOffMs, timerOffs } from './timer.ts'
import { fitTotals } from './totals.ts'
import { positive } from './values.ts'
import { fitWeather, weatherMessage } from './weather.ts'

/** FIT activities, including chained files: every running session is a run (docs/api.md 7.2). */
export const fitFormat: Format = {
  type: 'fit',
  name: 'FIT',
  extensions: ['fit'],
  detect: (head) => hasFitHeader(head),
  parse: parseFit,
}

/** When less than this share of both distance and time is readable, the file is refused as damaged. */
const READABLE_SHARE = 0.5
const OFFSET_STEP_MIN = 15
/** session.workout_rpe has a scale up to 100. */
const RPE_SCALE = 10

/** @throws FormatError */
function parseFit(bytes: Uint8Array, { anySport = false, asStated = false }: ParseOptions): ParsedFile {
  const file = decodeFit(bytes)
  const activities = fitActivities(file)
  for (const { part, heartRates } of activities) {
    if (heartRates.length > 0) mergeHeartRates(file.records, heartRates, [part.firstRow, part.endRow])
  }
  const sessions = activities.flatMap(({ part }) => fitSessions(part))
  const wanted = anySport ? sessions.slice(0, 1) : sessions.filter(({ otherSport }) => otherSport === null)
  if (wanted.length === 0) {
    throw otherSportError([...new Set(sessions.map(({ otherSport }) => otherSport))].join(', '))
  }
  const runs = usableRuns(readRuns(file.records, wanted, asStated))
  // where the file is damaged, what its session states counts
  if (file.lostBytes === 0) for (const run of runs) expectReadable(file.records, run)
  const damage = damageCorrections(file, bytes.length)
  return {
    type: 'fit',
    activities: runs.map((run) => {
      const made = activity(file.records, run, asStated)
      if (damage.length === 0) return made
      const recording = { ...made.recording!, isDamaged: true }
      return { ...made, recording, corrections: [...damage, ...made.corrections] }
    }),
    skippedOther: anySport ? 0 : sessions.length - runs.length,
    sports: sportsNamed(anySport ? [] : sessions.flatMap(({ otherSport }) => otherSport ?? [])),
  }
}

function damageCorrections({ lostBytes }: FitFile, bytes: number): Correction[] {
  if (lostBytes === 0) return []
  const [all, read] = [bytes.toLocaleString('en-GB'), (bytes - lostBytes).toLocaleString('en-GB')]
  const reason = `The file is damaged; ${read} of its ${all} bytes can be read, and these count`
  return [{ what: 'file', stated: bytes, used: bytes - lostBytes, reason }]
}

interface FitRun {
  readonly session: FitSession
  readonly timeline: FitTimeline
  readonly timer: ReturnType<typeof timerOffs>
  readonly clock: SessionClock
  readonly totals: DeviceTotals
}

function readRuns(records: FitRecords, sessions: readonly FitSession[], asStated: boolean): FitRun[] {
  const timelines = new Map<FitPart, FitTimeline>()
  return sessions.map((session) => {
    const { part, message, siblings } = session
    const timeline = timelines.get(part) ?? fitTimeline(records, part, asStated)
    timelines.set(part, timeline)
    const timer = timerOffs(part, timeline)
    const activityTimerS = siblings.length === 1 ? positive(part.messages.activity?.[0]?.totalTimerTime) : null
    const clock = sessionClock(timeline, {
      ...timer,
      ...{ message, siblings, asStated },
      activityTimerS: activityTimerS ?? Number.NaN,
      isPlaced: (row) => !Number.isNaN(records.latDeg[row]!),
    })
    const { elapsedS, timerS } = clock
    return { session, timeline, timer, clock, totals: { ...fitTotals(message), elapsedS, timerS } }
  })
}

/** Without sessions that have no records or, next to longer ones, under 10 s. @throws FormatError when none has any */
function usableRuns(runs: readonly FitRun[]): FitRun[] {
  const recorded = runs.filter(({ clock }) => clock.rows.length > 0)
  if (recorded.length === 0) {
    const isRelative = runs.some(({ timeline }) => timeline.isRelative)
    throw new FormatError(
      isRelative
        ? 'The times of this file have no date: the clock of the watch was not set'
        : 'The FIT file has no records of a run',
    )
  }
  // a short session next to a longer one is an accidental button press
  const long = recorded.filter((run) => elapsedS(run) >= SHORTEST_RUN_S)
  return long.length > 0 ? long : recorded
}

function elapsedS({ clock, totals }: FitRun): number {
  return totals.elapsedS ?? clock.tS.at(-1) ?? 0
}

/** @throws FormatError when, by the device's totals, most of the run is missing */
function expectReadable(records: FitRecords, { clock, timeline, totals }: FitRun): void {
  if (totals.distanceM === null && totals.elapsedS === null) return
  const readM = recordedDistanceM(records, timeline, clock)
  const readS = clock.tS.at(-1) ?? 0
  const isDistanceRead = totals.distanceM !== null && readM >= READABLE_SHARE * totals.distanceM
  const isTimeRead = totals.elapsedS !== null && readS >= READABLE_SHARE * totals.elapsedS
  if (!isDistanceRead && !isTimeRead)
    throw new FormatError('The file is damaged: less than half of the run can be read')
}

function activity(records: FitRecords, run: FitRun, asStated: boolean): Activity {
  const { session, timeline, clock, totals } = run
  const { part, message, indoor } = session
  const device = fitDevice(part)
  const weather = weatherMessage(part, clock.startS)
  const offs = timerOffMs(run.timer, clock, elapsedS(run))
  const evidence = {
    movedM: (fromMs: number, toMs: number) => recordedBetweenM(records, clock, [fromMs, toMs]),
    latest: () => timerOffMs(timerOffs(part, timeline, true), clock, elapsedS(run)),
  }
  const pauses = asStated ? { offs, corrections: [] } : judgedPauses(offs, clock, evidence)
  const isHeartRateRecorded = clock.rows.some((row) => isHeartRate(records.heartRateBpm[row]!))
  return {
    ...UNSAID,
    startedAtMs: Math.round(clock.startS * 1000),
    recording: fitRecording(records, {
      clock,
      timeline,
      timerOffMs: pauses.offs,
      seamsMs: seamsMs(part, timeline, clock),
      elevationSource: device.elevationSource,
      indoor,
    }),
    totals,
    laps: fitLaps(part, timeline, clock),
    corrections: [...timeline.corrections, ...clock.corrections, ...pauses.corrections],
    name: cleanText(textOf(part.messages.workout?.[0]?.wktName), LENGTHS.name),
    runType: runType(session),
    rpe: perceivedEffort(message?.workoutRpe),
    source: 'fit_import',
    device: cleanText(device.name, LENGTHS.device),
    weather: weather === null ? null : fitWeather(weather),
    utcOffsetMinutes: utcOffsetMinutes(part),
    rawFitData: () =>
      present<unknown>({
        session: message === null ? null : rawSession(message),
        device: device.raw,
        weather: weather === null ? null : rawWeather(weather),
        ...thinning(clock.rows.length),
        trackPoints: rawPoints(records, clock.rows),
        recordCount: clock.rows.length,
        hasTimeSeries: isHeartRateRecorded,
        source: 'fit_import',
      }),
    hasRawHr: isHeartRateRecorded || (message !== null && saysHeartRate(rawSession(message))),
  }
}

/** The run type, when the text of sport profile, sport or workout is exactly one of them. */
function runType({ part, message }: FitSession): RunType | null {
  const sports = part.messages.sport ?? []
  const texts = [
    message?.sportProfileName,
    sports.length === 1 ? sports[0]?.name : undefined,
    part.messages.workout?.[0]?.wktName,
  ]
  return texts.map((text) => runTypeOf(textOf(text))).find((type) => type !== null) ?? null
}

/** @returns 1 to 10; null when not stated */
function perceivedEffort(workoutRpe: unknown): number | null {
  const effort = typeof workoutRpe === 'number' ? roundHalfUp(workoutRpe / RPE_SCALE) : 0
  return effort >= 1 && effort <= 10 ? effort : null
}

/** Minutes by which local time was ahead of UTC; some watches write 0 or a time since switching on instead of it. */
function utcOffsetMinutes(part: FitPart): number | null {
  const message = part.messages.activity?.[0]
  const utcS = unixS(message?.timestamp)
  const local = message?.localTimestamp
  if (utcS === null || typeof local !== 'number') return null
  const steps = Math.round((local + FIT_EPOCH_S - utcS) / 60 / OFFSET_STEP_MIN)
  const minutes = steps * OFFSET_STEP_MIN
  return Math.abs(minutes) <= MAX_OFFSET_MINUTES ? minutes + 0 : null
}
