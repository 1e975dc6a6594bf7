import type { XmlHandler } from '../xml/scanner.ts'
import type { XmlAttributes } from '../xml/text.ts'
import { appleTimeAt, factorOf, UNITS } from './values.ts'

// Workouts as elements of an Apple Health export.

export const RUNNING = 'HKWorkoutActivityTypeRunning'
/** What is before the name of each activity and each quantity. */
export const ACTIVITY = 'HKWorkoutActivityType'
export const QUANTITY = 'HKQuantityTypeIdentifier'

export const WORKOUT_WORDS = [
  ...['Workout', 'WorkoutEvent', 'WorkoutStatistics', 'WorkoutRoute', 'FileReference', 'MetadataEntry'],
  ...['workoutActivityType', 'duration', 'durationUnit', 'totalDistance', 'totalDistanceUnit', 'totalEnergyBurned'],
  ...['totalEnergyBurnedUnit', 'sourceName', 'startDate', 'endDate', 'type', 'date', 'unit', 'path', 'key', 'value'],
  ...['sum', 'average', 'minimum', 'maximum'],
]
const TEXT_LENGTH = 500
const MOST_ROUTES = 100
const MOST_ENTRIES = 1000
/** Statistics are in the units of the user. */
const STATISTICS = new Map<string, Readonly<Record<string, number>>>([
  ['DistanceWalkingRunning', UNITS.length],
  ['ActiveEnergyBurned', UNITS.energy],
  ['HeartRate', UNITS.rate],
  ['RunningPower', UNITS.power],
])

/** Statistics of one quantity; NaN: not stated. */
interface Statistics {
  sum: number
  average: number
  minimum: number
  maximum: number
  /** Seconds that the average is of. */
  weight: number
}

export interface AppleWorkout {
  readonly type: string
  /** Unix milliseconds. */
  readonly startMs: number
  readonly endMs: number
  /** As written, with the UTC offset that the phone had when it exported. */
  readonly startText: string
  readonly sourceName: string
  /** The bytes of the source's name, one character each. */
  readonly rawSource: string
  /** Without pauses, seconds; NaN: not stated. */
  readonly durationS: number
  readonly distanceM: number
  readonly energyKcal: number
  readonly statistics: ReadonlyMap<string, Statistics>
  readonly metadata: ReadonlyMap<string, string>
  readonly pauses: readonly (readonly [startMs: number, endMs: number])[]
  /** Paths of route files, in order. */
  readonly routes: readonly string[]
}

interface Reading extends AppleWorkout {
  readonly statistics: Map<string, Statistics>
  readonly metadata: Map<string, string>
  readonly events: { readonly atMs: number; readonly isPause: boolean }[]
  pauses: AppleWorkout['pauses']
  readonly routes: string[]
}

/** Receives the elements of workouts. Of their parts only direct ones count: those of a lap repeat them. */
export class WorkoutReader implements XmlHandler {
  readonly workouts: AppleWorkout[] = []
  private current: Reading | null = null

  open(name: string, parent: string, attributes: XmlAttributes): void {
    if (name === 'Workout') {
      this.current = begun(attributes)
      this.workouts.push(this.current)
    } else if (this.current !== null) readPart(this.current, { name, parent, attributes })
  }

  close(name: string): void {
    if (name !== 'Workout' || this.current === null) return
    this.current.pauses = pausesOf(this.current)
    this.current = null
  }
}

function begun(attributes: XmlAttributes): Reading {
  const text = (name: string) => attributes.string(name, TEXT_LENGTH) ?? ''
  const amount = (name: string, factors: Readonly<Record<string, number>>) =>
    attributes.number(name) * factorOf(text(`${name}Unit`), factors)
  return {
    type: text('workoutActivityType'),
    startMs: attributes.timeMs('startDate', appleTimeAt),
    endMs: attributes.timeMs('endDate', appleTimeAt),
    startText: text('startDate'),
    sourceName: text('sourceName'),
    rawSource: attributes.raw('sourceName') ?? '',
    durationS: amount('duration', UNITS.duration),
    distanceM: amount('totalDistance', UNITS.length),
    energyKcal: amount('totalEnergyBurned', UNITS.energy),
    ...{ statistics: new Map(), metadata: new Map(), events: [], pauses: [], routes: [] },
  }
}

interface Part {
  readonly name: string
  readonly parent: string
  readonly attributes: XmlAttributes
}

function readPart(workout: Reading, { name, parent, attributes }: Part): void {
  if (name === 'FileReference' && parent === 'WorkoutRoute') {
    const path = attributes.string('path', TEXT_LENGTH)
    if (path !== null && workout.routes.length < MOST_ROUTES) workout.routes.push(path)
  }
  if (parent !== 'Workout') return
  if (name === 'WorkoutEvent') addEvent(workout, attributes)
  else if (name === 'WorkoutStatistics') addStatistics(workout, attributes)
  else if (name === 'MetadataEntry' && workout.metadata.size < MOST_ENTRIES) {
    const key = attributes.string('key', TEXT_LENGTH)
    if (key !== null) workout.metadata.set(key, attributes.string('value', TEXT_LENGTH) ?? '')
  }
}

function addEvent({ events }: Reading, attributes: XmlAttributes): void {
  const type = attributes.raw('type') ?? ''
  const isPause = /EventType(Motion)?Paused?$/.test(type)
  if (!isPause && !/EventType(Motion)?Resumed?$/.test(type)) return
  const atMs = attributes.timeMs('date', appleTimeAt)
  if (!Number.isNaN(atMs)) events.push({ atMs, isPause })
}

/** Sums of one quantity are added, averages weighted by their time. */
function addStatistics({ statistics }: Reading, attributes: XmlAttributes): void {
  const type = (attributes.raw('type') ?? '').replace(QUANTITY, '')
  const factors = STATISTICS.get(type)
  if (factors === undefined) return
  const factor = factorOf(attributes.raw('unit'), factors)
  const value = (name: string) => attributes.number(name) * factor
  const seconds = (attributes.timeMs('endDate', appleTimeAt) - attributes.timeMs('startDate', appleTimeAt)) / 1000
  const next = {
    sum: value('sum'),
    average: value('average'),
    minimum: value('minimum'),
    maximum: value('maximum'),
    weight: seconds > 0 ? seconds : 1,
  }
  const known = statistics.get(type)
  if (known === undefined) {
    statistics.set(type, next)
    return
  }
  const total = known.weight + next.weight
  const weighted = (known.average * known.weight + next.average * next.weight) / total
  known.average = Number.isNaN(weighted) ? stated(known.average, next.average) : weighted
  known.sum = Number.isNaN(known.sum + next.sum) ? stated(known.sum, next.sum) : known.sum + next.sum
  known.minimum = Math.min(stated(known.minimum, next.minimum), stated(next.minimum, known.minimum))
  known.maximum = Math.max(stated(known.maximum, next.maximum), stated(next.maximum, known.maximum))
  known.weight = total
}

function stated(value: number, otherwise: number): number {
  return Number.isNaN(value) ? otherwise : value
}

/** Stretches from a pause to what resumes it, or to the end, in order. */
function pausesOf({ events, startMs, endMs }: Reading): AppleWorkout['pauses'] {
  const pauses: (readonly [number, number])[] = []
  let fromMs = Number.NaN
  const end = (atMs: number) => {
    const [from, to] = [Math.max(fromMs, startMs), Math.min(atMs, endMs)]
    if (to > from) pauses.push([from, to])
    fromMs = Number.NaN
  }
  for (const { atMs, isPause } of events.toSorted((a, b) => a.atMs - b.atMs)) {
    if (!isPause) end(atMs)
    else if (Number.isNaN(fromMs)) fromMs = atMs
  }
  end(endMs)
  return pauses
}
