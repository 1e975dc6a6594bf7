import type { Static } from '@sinclair/typebox'
import { useEffect } from 'preact/hooks'
import type { Media as MediaSchema } from '../../features/media/schemas.ts'
import type { HeartRateZones } from '../../features/settings/schemas.ts'
import type { Shoe as ShoeSchema } from '../../features/shoes/schemas.ts'
import type { WorkoutTraining } from '../../features/training/schemas.ts'
import type { RunEfforts as RunEffortsSchema } from '../../features/workouts/efforts/ranks.ts'
import type { GhostRace as GhostRaceSchema } from '../../features/workouts/same-ground/ghost-schemas.ts'
import type { Passes as PassesSchema } from '../../features/workouts/same-ground/passes-schemas.ts'
import type { Laps, WorkoutIntervals } from '../../features/workouts/samples/laps-schemas.ts'
import type { Samples as SamplesSchema } from '../../features/workouts/samples/samples-schemas.ts'
import type * as workouts from '../../features/workouts/schemas.ts'
import type { WorkoutSources } from '../../features/workouts/sources/sources-schemas.ts'
import { number } from '../format.ts'
import { createStore, type Store } from '../store.ts'
import { TERMS } from '../words.ts'

// Types of answers about one run, derived from the schemas that validate them.

export type Passes = Static<typeof PassesSchema>
export type GhostRace = Static<typeof GhostRaceSchema>
export type Detail = Static<typeof workouts.WorkoutDetail>
export type Split = Static<typeof workouts.Split>
export type Weather = Static<typeof workouts.Weather>
export type RunTraining = Static<typeof WorkoutTraining>
export type Edit = Static<typeof workouts.WorkoutEdit>
export type SimilarRun = Static<typeof workouts.SimilarRoutes>[number]
export type Samples = Static<typeof SamplesSchema>
export type Sources = Static<typeof WorkoutSources>
export type Lap = Static<typeof Laps>[number]
export type Intervals = Static<typeof WorkoutIntervals>
export type Effort = Samples['bestEfforts'][number]
export type RunEfforts = Static<typeof RunEffortsSchema>
export type RankedEffort = RunEfforts['distances'][number]
export type Media = Static<typeof MediaSchema>
export type Zones = Static<typeof HeartRateZones>
export type Shoe = Static<typeof ShoeSchema>

/** A stretch of the run, elapsed seconds. */
export interface Section {
  readonly fromS: number
  readonly toS: number
  /** Moving seconds where the service gives them; else they are estimated from the samples. */
  readonly movingS?: number | null
}

/** Position of the ghost and its gap along the run. */
export interface GhostPlaces {
  /** The row of this run at which the ghost is when the runner is at `row`. */
  rowOf(row: number): number
  /** Seconds behind at a row; negative is ahead. */
  gapAt(row: number): number
}

/** Values of the ghost at the places of this run, one for each of its rows; null: it measured none. */
export interface GhostLines {
  readonly pace: Float64Array | null
  readonly heartRate: Float64Array | null
}

/** The run to compare with. */
export interface Rival {
  readonly workoutId: string
  readonly startedAt: string
  readonly utcOffsetMinutes: number | null
}

/** State that charts, map and tables of a run share. */
export interface RunView {
  /** The row under the cursor; -1: none. */
  readonly cursor: Store<number>
  /** The stretch that a table row points at. */
  readonly section: Store<Section | null>
  /** The part that the charts show; null: the whole run. */
  readonly zoom: Store<Section | null>
  /** Whether the two handles for selecting a stretch are open. */
  readonly picking: Store<boolean>
  readonly rival: Store<Rival | null>
  /** Its ghost, once the comparison is loaded. */
  readonly ghost: Store<GhostPlaces | null>
  /** What the ghost measured, once its samples are loaded. */
  readonly ghostLines: Store<GhostLines | null>
}

export function createRunView(): RunView {
  return {
    cursor: createStore(-1),
    section: createStore<Section | null>(null),
    zoom: createStore<Section | null>(null),
    picking: createStore(false),
    rival: createStore<Rival | null>(null),
    ghost: createStore<GhostPlaces | null>(null),
    ghostLines: createStore<GhostLines | null>(null),
  }
}

/**
 * Calls `draw` once, and at most once a frame when one of the stores changes, so that moving the cursor does not render
 * components.
 */
export function useDrawing(stores: readonly Store<unknown>[], draw: () => void, reasons: readonly unknown[]): void {
  useEffect(() => {
    const schedule = () => inNextFrame(draw)
    draw()
    const stops = stores.map((store) => store.watch(schedule))
    return () => {
      drawings.delete(draw)
      for (const stop of stops) stop()
    }
  }, reasons)
}

/** Drawings for the next frame, collected since a dozen watch the cursor and each frame request has a cost. */
const drawings = new Set<() => void>()

/** Calls a function in the next frame, once for any number of requests. */
export function inNextFrame(draw: () => void): void {
  if (drawings.size === 0) requestAnimationFrame(drawAll)
  drawings.add(draw)
}

/** Drawings of which each frame does one. */
const turns = new Set<() => void>()

/** Calls a function in its turn, one a frame and once for any number of requests. */
export function inTurn(draw: () => void): void {
  turns.add(draw)
  inNextFrame(takeTurn)
}

function takeTurn(): void {
  const [draw] = turns
  if (draw === undefined) return
  turns.delete(draw)
  draw()
  if (turns.size > 0) inNextFrame(takeTurn)
}

function drawAll(): void {
  const due = [...drawings]
  drawings.clear()
  for (const draw of due) draw()
}

/** What arrow keys and Page keys add to the place of a slider. */
export const keySteps = (step: number, page: number): Readonly<Record<string, number>> => ({
  ...{ ArrowLeft: -step, ArrowDown: -step, PageDown: -page },
  ...{ ArrowRight: step, ArrowUp: step, PageUp: page },
})

/** Event handlers of a table row that show its stretch everywhere while it is pointed at or focused. */
export function sectionHandlers(view: RunView, section: Section | null) {
  const show = () => view.section.set(section)
  const hide = () => view.section.set(null)
  return { onMouseEnter: show, onMouseLeave: hide, onFocusCapture: show, onBlurCapture: hide }
}

/** Names of the sources of a load. */
export const LOAD_SOURCES = {
  heartRate: 'heart rate',
  pace: 'pace',
  rpe: 'RPE',
  duration: 'duration',
  manual: 'you',
} as const

type LoadSource = keyof typeof LOAD_SOURCES
export type LoadChoice = LoadSource | 'auto'

/** Automatic, and the sources that a run has. */
export function loadOptions({ loads, chosen }: Pick<RunTraining, 'loads' | 'chosen'>) {
  const known = (Object.keys(LOAD_SOURCES) as LoadSource[]).filter((one) => loads[one] !== null || one === chosen)
  const named = known.map((one) => [one, `From ${LOAD_SOURCES[one]}: ${number(loads[one])}`] as const)
  return [['auto', TERMS.automatic] as const, ...named]
}

/** Names of the channels of a recording. */
export const CHANNELS: Readonly<Record<Sources['recordings'][number]['channels'][number], string>> = {
  position: 'route',
  elevation: 'altitude',
  heartRate: 'heart rate',
  cadence: 'cadence',
  power: 'power',
  temperature: 'temperature',
}

/** By so much the map may grow to end the left column where the right one ends. */
export const MOST_GROWTH_PX = 280

/**
 * What cards of the left column add to it, less what those of the right one do.
 * @param heights of each card in either column
 * @param chosen bits: left
 */
export function difference(heights: readonly (readonly number[])[], chosen: number): number {
  return heights.reduce((so, [left = 0, right = 0], k) => so + ((chosen >> k) & 1 ? left : -right), 0)
}

/**
 * Which cards stand in the left column, as bits, so that it misses the least, or what the map can grow by.
 * @param missing by which the left column is shorter without any of them
 */
export function bestDivision(heights: readonly (readonly number[])[], missing: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (let chosen = 0; chosen < 2 ** heights.length; chosen += 1) {
    const rest = missing - difference(heights, chosen)
    const cost = rest < 0 ? -2 * rest : Math.max(0, rest - MOST_GROWTH_PX) * 2 + rest / 100
    if (cost < least) [best, least] = [chosen, cost]
  }
  return best
}
