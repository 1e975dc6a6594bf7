import { eq } from 'drizzle-orm'
import { notFound } from '../../base/errors.ts'
import { workoutLoads } from '../../db/schema-training.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'
import {
  type CostRange,
  dewPoint,
  HEAT_BASE_C,
  heatCostPct,
  meanHeadWind,
  SHORTEST_WARM_S,
  windCostPct,
  windParts,
} from '../../engine/training/conditions.ts'
import { type Estimate, estimate, loadConfidence, noEstimate, type Reason } from '../../engine/training/confidence.ts'
import { bandsOf, zoneSecondsOf } from '../../engine/training/intensity.ts'
import { isSlowRace, isUsed, rowSd, vdotBand } from '../../engine/training/latent/fitness-readings.ts'
import { steadyRefusal } from '../../engine/training/latent/fitness-rows.ts'
import { Z80 } from '../../engine/training/numbers.ts'
import type { Profile } from '../../engine/training/profile.ts'
import { intensityPct } from '../../engine/training/training-load.ts'
import { type Better, heatOf, isSure } from '../../engine/training/truth/better.ts'
import { rounded, roundedOrNull, roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { runHead } from '../../library/documents/run.ts'
import { loadChoice } from '../../library/training/choices.ts'
import { unpackedHeadings } from '../../workers/training.ts'
import { decouplingPctOf, durabilityOf } from './efficiency.ts'
import type { RunnerVdot } from './evidence.ts'
import { efOf, type FactRow, factsOf, wbgtOf } from './facts.ts'
import { zoneBounds } from './intensity.ts'
import type { TrainingLibrary, Viewer } from './library.ts'

interface WorkoutAsked {
  readonly id: string
  readonly viewer: Viewer
  readonly vdot: RunnerVdot
  /** What heat costs this runner; a function, since few runs need it and the fit may take a while. */
  readonly heat: () => Promise<Better['heat']>
}

const PACE = 'Your threshold pace, or eight runs with heart rate, would make it more accurate'

export async function workoutTraining(
  { db, ...deps }: Deps,
  library: TrainingLibrary,
  { id, viewer, vdot, heat }: WorkoutAsked,
) {
  const run = factsOf({ ...deps, db }, id)
  if (run === null) throw notFound('Workout')
  const day = library.dayOf(run, viewer)
  const profile = library.profile(day)
  const stored = db.select().from(workoutLoads).where(eq(workoutLoads.workoutId, id)).get()
  const choice = loadChoice(db, id)
  const source = stored?.source ?? null
  const load = stored?.load ?? null
  const bounds = zoneBounds(library, vdot.value)
  const bands = bandsOf(run, { lthrBpm: profile.lthrBpm.value, bounds })
  const worn = durabilityOf(run)
  const zones = zoneSecondsOf(run, bounds)
  return {
    load: loadEstimate({ stored, run, profile, date: isoDate(day) }),
    loads: {
      heartRate: stored?.heartRate ?? null,
      pace: stored?.pace ?? null,
      rpe: stored?.rpe ?? null,
      duration: stored?.duration ?? null,
      // from the stored row; a run without time has none, whatever the runner entered
      manual: source === 'manual' ? load : run.movingS > 0 ? null : choice.loadManual,
    },
    source,
    chosen: choice.loadSource,
    excludeFromEstimates: choice.excludeFromEstimates,
    wasRaced: runHead(db, id)?.body.choices?.wasRaced ?? false,
    calibration:
      stored?.factor == null
        ? null
        : { factor: roundHalfUp(stored.factor, 3), n: stored.factorN ?? 0, spread: roundHalfUp(stored.spread ?? 0, 3) },
    intensityPct: load === null ? null : roundedOrNull(intensityPct(load, run.movingS)),
    suspectHeartRate: run.suspect === 1,
    ef: roundedOrNull(efOf(run), 3),
    decouplingPct: decouplingPctOf(run),
    decouplingReason: run.decouplingReason,
    durability: worn && {
      last: roundHalfUp(worn.last, 3),
      onsetKm: worn.onsetKm,
      ratios: worn.ratios.map(([km, ratio]) => [km, roundHalfUp(ratio, 3)]),
    },
    vo2max: vo2maxEstimate(run, library, day),
    paceZoneSeconds: zones && [...zones],
    bandSeconds: bands && [...bands],
    conditions: await conditions(run, profile, heat),
  }
}

interface LoadOf {
  readonly stored: typeof workoutLoads.$inferSelect | undefined
  readonly run: FactRow
  readonly profile: Profile
  readonly date: string
}

function loadEstimate({ stored, run, profile, date }: LoadOf): Estimate {
  const { load = null, source = null, spread = null } = stored ?? {}
  if (load === null || source === null) return noEstimate('load', ['tooShort'], 'The run has no time')
  const isByHeart = source === 'heartRate'
  const isMaxDefault = profile.maxHeartRateBpm.source === 'default'
  const isLthrDefault = profile.lthrBpm.source === 'default'
  const isAverage = isByHeart && (run.hrHist?.length ?? 0) === 0
  // its scale is only that the middle run loads 50 an hour
  const isGuessed = source === 'pace' && stored?.factorN === 0
  const isDoubtful = run.suspect === 1 || run.lockedS > 0
  const reasons: Reason[] = [
    ...(isByHeart && isMaxDefault ? (['defaultMaxHeartRate'] as const) : []),
    ...(isByHeart && isLthrDefault ? (['defaultLthr'] as const) : []),
    ...(isByHeart && profile.restingHeartRateBpm.source === 'default' ? (['defaultRestingHeartRate'] as const) : []),
    ...(isAverage ? (['averageOnly'] as const) : []),
    ...(isDoubtful ? (['suspectHeartRate'] as const) : []),
    ...(!isByHeart && source !== 'manual' && stored?.heartRate == null ? (['noHeartRate'] as const) : []),
    ...(!isByHeart && source !== 'manual' && (spread === null || isGuessed) ? (['uncalibrated'] as const) : []),
  ]
  const half = spread === null || isByHeart ? null : Z80 * spread
  const band = half === null ? null : ([load * Math.exp(-half), load * Math.exp(half)] as const)
  // a doubtful heart rate leaves open which of the two loads is right
  const pace = isByHeart && isDoubtful ? (stored?.pace ?? null) : null
  const [low, high] = pace === null ? (band ?? [null, null]) : [Math.min(load, pace), Math.max(load, pace)]
  const usual = loadConfidence({
    source,
    coverage: run.coverage,
    isMaxDefault,
    isLthrDefault,
    isCalibrated: spread !== null && !isGuessed,
  })
  return {
    ...estimate({
      value: load,
      unit: 'load',
      basis: [source],
      n: 1,
      asOf: date,
      reasons: [],
      low: roundedOrNull(low, 1),
      high: roundedOrNull(high, 1),
      confidence: isByHeart && isDoubtful ? 'low' : usual,
      missing:
        pace !== null
          ? 'Use pace'
          : isByHeart && isMaxDefault
            ? 'Your own max HR would make it more accurate'
            : isGuessed
              ? PACE
              : null,
    }),
    // the default maximum is already part of a load's confidence
    reasons,
  }
}

/** What this run says, whether or not it is believed. */
function vo2maxEstimate(run: FactRow, library: TrainingLibrary, day: number): Estimate {
  const fitness = library.fitness()
  const fit = fitness?.fit ?? null
  const row = fitness?.rows.find(({ id, kind }) => id === run.id && (kind === 'H' || kind === 'R'))
  if (fitness === null || fit === null || row === undefined) {
    const place = fitness?.ids.indexOf(run.id) ?? -1
    const reason = fitness === null || place < 0 ? null : steadyRefusal(fitness.run(place), fitness.profile.maxBpm)
    return noEstimate('ml/kg/min', [reason ?? 'noHeartRate'], 'A steady run of 25 minutes with heart rate is needed')
  }
  return estimate({
    ...rounded(vdotBand(fit.mean(row.day, null) + row.residual, rowSd(fit, row)), 1),
    unit: 'ml/kg/min',
    basis: [row.kind === 'R' ? 'race' : 'heartRate'],
    n: 1,
    asOf: isoDate(day),
    reasons: isSlowRace(row) ? ['notRaced'] : isUsed(row) ? [] : ['uncertain'],
    missing: null,
  })
}

async function conditions(run: FactRow, { massKg, heightCm }: Profile, heat: WorkoutAsked['heat']) {
  const wbgtC = wbgtOf(run)
  const own = wbgtC === null ? null : await ownHeat(run, wbgtC, heat)
  const cost = own ?? (wbgtC === null ? null : heatCostPct(wbgtC, run.durationS))
  const hasWind = run.windMps !== null && run.windFromDeg !== null && run.headings !== null
  const parts = hasWind
    ? windParts(unpackedHeadings(run.headings!), { speedMps: run.windMps!, fromDeg: run.windFromDeg! })
    : []
  if (wbgtC === null && parts.length === 0) return null
  const wind = windCostPct(parts, { massKg, heightCm })
  return {
    wbgtC: roundedOrNull(wbgtC, 1),
    dewPointC: wbgtC === null ? null : roundedOrNull(dewPoint(run.temperatureC!, run.humidityPct!), 1),
    heatCostPct: cost && { ...rounded(cost, 1), own: own !== null },
    headWindMps: roundedOrNull(meanHeadWind(parts), 1),
    windCostPct: wind && rounded(wind, 1),
  }
}

/** What heat costs this runner at such a temperature, where it is surely something; null: what it costs a usual one. */
async function ownHeat({ durationS }: FactRow, wbgtC: number, heat: WorkoutAsked['heat']): Promise<CostRange | null> {
  const isWarm = wbgtC > HEAT_BASE_C && durationS >= SHORTEST_WARM_S
  const own = isWarm ? heatOf(await heat(), wbgtC) : null
  if (own === null || !isSure(own)) return null
  const [mid, half] = [100 * own.mean, 100 * Z80 * own.sd]
  return mid < 0 ? null : { low: mid - half, mid, high: mid + half }
}
