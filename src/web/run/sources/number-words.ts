import type { NumberName } from '../../../engine/numbers.ts'
import { distance, duration, elevation, number, pace, text, type Units } from '../../format.ts'
import { TERMS } from '../../words.ts'

/** Name of a source within a sentence. */
export interface Noun {
  readonly name: string
  readonly isPlural: boolean
}

/** Texts for a number of a run. */
export interface NumberWords {
  readonly name: string
  /** Formatted in the runner's units; null: it cannot be displayed. */
  readonly shown: (value: number, units: Units) => string | null
  /** The kind of recording that it is computed from. */
  readonly recorded: Noun
  /** Its origin when no source states it; absent: the recording. */
  readonly computed?: string
}

const POINTS: Noun = { name: 'the recorded points', isPlural: true }
const STARTS_AND_STOPS: Noun = { name: 'the recorded starts and stops', isPlural: true }
const SPEED: Noun = { name: 'the recorded speed', isPlural: false }
const ALTITUDE: Noun = { name: 'the recorded altitude', isPlural: false }
const BEATS: Noun = { name: 'the recorded beats', isPlural: true }
const STEPS: Noun = { name: 'the recorded steps', isPlural: true }
const POWER: Noun = { name: 'the recorded power', isPlural: false }

const metres = (value: number, units: Units) => text(elevation(value, units))
const paced = (value: number, units: Units) => (value > 0 ? text(pace(value, units)) : null)
const counted = (unit: string) => (value: number) => text({ value: number(value), unit })

/** In the order in which they are listed; null: equals another one in a unit that the page does not use. */
export const NUMBER_WORDS: Readonly<Record<NumberName, NumberWords | null>> = {
  distanceM: { name: TERMS.distance, shown: (value, units) => text(distance(value, units)), recorded: POINTS },
  durationS: { name: TERMS.time, shown: duration, recorded: POINTS },
  movingTimeS: { name: TERMS.movingTime, shown: duration, recorded: POINTS },
  timerTimeS: { name: 'Watch time', shown: duration, recorded: STARTS_AND_STOPS },
  avgPaceS: { name: TERMS.pace, shown: paced, recorded: POINTS, computed: 'From distance and time' },
  gapPaceS: { name: 'Grade-adjusted pace', shown: paced, recorded: POINTS, computed: 'From pace and slope' },
  maxSpeedMps: {
    name: 'Fastest pace',
    shown: (value, units) => paced(value > 0 ? 1000 / value : 0, units),
    recorded: SPEED,
  },
  elevGainM: { name: TERMS.elevationGain, shown: metres, recorded: ALTITUDE },
  elevLossM: { name: 'Elevation loss', shown: metres, recorded: ALTITUDE },
  minElevM: { name: 'Lowest point', shown: metres, recorded: ALTITUDE },
  maxElevM: { name: 'Highest point', shown: metres, recorded: ALTITUDE },
  avgHeartRateBpm: { name: TERMS.averageHr, shown: counted('bpm'), recorded: BEATS },
  maxHeartRateBpm: { name: TERMS.maxHr, shown: counted('bpm'), recorded: BEATS },
  minHeartRateBpm: { name: 'Min HR', shown: counted('bpm'), recorded: BEATS },
  avgCadenceSpm: { name: 'Average cadence', shown: counted('spm'), recorded: STEPS },
  maxCadenceSpm: { name: 'Max cadence', shown: counted('spm'), recorded: STEPS },
  avgPowerWatts: { name: 'Average power', shown: counted('W'), recorded: POWER },
  maxPowerWatts: { name: 'Max power', shown: counted('W'), recorded: POWER },
  relativeEffort: {
    name: TERMS.relativeEffort,
    shown: (value) => number(value),
    recorded: BEATS,
    computed: 'From heart rate and your zones',
  },
  calories: {
    name: TERMS.calories,
    shown: counted('kcal'),
    recorded: POINTS,
    computed: 'In proportion to the remaining time',
  },
  avgSpeedMps: null,
  avgCadenceRpm: null,
  maxCadenceRpm: null,
}
