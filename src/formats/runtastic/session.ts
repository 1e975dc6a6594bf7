import { type Members, membersOf } from '../json.ts'
import { isOtherSport } from '../sport.ts'
import { textOf } from '../text-values.ts'

/** Numbers of sports; all others are unknown. */
const SPORTS: Readonly<Record<string, string>> = {
  ...{ 1: 'running', 14: 'treadmill running', 82: 'trail running' },
  ...{ 2: 'nordic walking', 3: 'cycling', 4: 'mountain biking', 6: 'inline skating', 7: 'hiking' },
  ...{ 8: 'cross-country skiing', 9: 'skiing', 10: 'snowboarding', 13: 'snowshoeing', 15: 'indoor cycling' },
  ...{ 16: 'elliptical', 17: 'rowing', 18: 'swimming', 19: 'walking', 22: 'race cycling', 26: 'yoga', 31: 'pilates' },
  ...{ 32: 'climbing', 34: 'strength training', 36: 'handbike', 44: 'kayaking', 46: 'spinning', 54: 'ice skating' },
}

/** The values of a session: beside its id, or in features of newer exports. */
export function sessionValues(session: Members): Members {
  const features = Array.isArray(session.features) ? session.features.map(membersOf) : []
  const attributes = (wanted: string) => membersOf(features.find(({ type }) => type === wanted)?.attributes)
  const heart = attributes('heart_rate_metrics')
  return {
    ...{ pulse_avg: heart.average ?? heart.avg, pulse_max: heart.maximum ?? heart.max },
    ...attributes('track_metrics'),
    ...attributes('initial_values'),
    ...session,
  }
}

/** The name of a session's sport; null: its number is not known. */
export function sportOf(session: Members): string | null {
  const { sport_type_id: id, sport_type: type } = sessionValues(session)
  const number = id ?? membersOf(type).id
  return SPORTS[typeof number === 'number' ? String(number) : (textOf(number) ?? '')] ?? null
}

/** A sport that is not known is not a run: the exports name more than fifty. */
export function isRunSport(sport: string | null): boolean {
  return sport !== null && !isOtherSport(sport)
}
