import { METRES_PER_KM, roundHalfUp } from '../units.ts'
import type { Target } from './targets.ts'

/** What a title is made of. */
interface Targeted {
  readonly target: Target | null
}

/** What a summary is made of. */
interface Summed {
  readonly title: string
  readonly repetitions: readonly Targeted[]
  readonly paceS: number | null
  readonly recoveryS: number | null
  readonly fadeS: number | null
}

/** From this distance on, whole kilometres are written as km. */
const IN_KM_M = 3000

/** "5 × 4:00", "8 × 400 m", "400-800-400 m", or "Fartlek × 7". */
export function setTitle(repetitions: readonly Targeted[]): string {
  const targets = repetitions.map(({ target }) => target)
  const [first] = targets
  if (!first || targets.includes(null)) return `Fartlek × ${targets.length}`
  const known = targets.filter((target) => target !== null)
  if (known.every(({ value }) => value === first.value)) return `${targets.length} × ${length(first)}`
  if (first.kind === 'time') return known.map(({ value }) => clock(value)).join('-')
  return `${known.map(({ value }) => value).join('-')} m`
}

/**
 * The session as a title and its main numbers; null without sets. Pace, recovery and fade are means over the sets when
 * these are alike, else those of the set with the most repetitions.
 */
export function summaryOf(sets: readonly Summed[]) {
  const [main] = sets.toSorted((a, b) => b.repetitions.length - a.repetitions.length)
  if (main === undefined) return null
  const areAlike = sets.every((set) => set.title === main.title)
  const title = sets.map((set) => set.title).join(' + ')
  if (!areAlike) return { title, ...numbersOf([main]), text: sets.map((set) => words(set.title, set)).join('; ') }
  const alike = sets.length === 1 ? title : `${sets.length} × (${main.title})`
  const numbers = numbersOf(sets)
  return { title: alike, ...numbers, text: words(alike, numbers) }
}

type SetNumbers = Pick<Summed, 'paceS' | 'recoveryS' | 'fadeS'>

function numbersOf(sets: readonly SetNumbers[]): SetNumbers {
  return { paceS: mean('paceS', 2), recoveryS: mean('recoveryS', 0), fadeS: mean('fadeS', 1) }

  function mean(name: keyof SetNumbers, decimals: number): number | null {
    const values = sets.flatMap((set) => set[name] ?? [])
    if (values.length === 0) return null
    return roundHalfUp(values.reduce((sum, value) => sum + value, 0) / values.length, decimals)
  }
}

/** "5 × 4:00 at 3:52/km, recovery 2:00, fade +3 s" */
function words(title: string, { paceS, recoveryS, fadeS }: SetNumbers): string {
  const stated = [
    paceS === null ? title : `${title} at ${clock(paceS)}/km`,
    ...(recoveryS === null ? [] : [`recovery ${clock(recoveryS)}`]),
    ...(fadeS === null ? [] : [`fade ${signed(fadeS)} s`]),
  ]
  return stated.join(', ')
}

function length({ kind, value }: Target): string {
  if (kind === 'time') return clock(value)
  const isInKm = value >= IN_KM_M && value % METRES_PER_KM === 0
  return isInKm ? `${value / METRES_PER_KM} km` : `${value} m`
}

function signed(seconds: number): string {
  const whole = roundHalfUp(seconds)
  return whole > 0 ? `+${whole}` : `${whole}`.replace('-', '−')
}

/** 3:52, or 1:02:05. */
export function clock(seconds: number): string {
  const whole = roundHalfUp(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** `1 h 5 min`, `2 h`, `0 min`. */
export function hoursAndMinutes(seconds: number): string {
  const whole = roundHalfUp(seconds / 60)
  const [hours, minutes] = [Math.floor(whole / 60), whole % 60]
  return [hours > 0 ? `${hours} h` : [], minutes > 0 || hours === 0 ? `${minutes} min` : []].flat().join(' ')
}
