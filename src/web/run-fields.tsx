import { ENTERED_RANGES, type RunType } from '../engine/limits.ts'
import { toastDone, useAction } from './actions.ts'
import { api } from './api.ts'
import { distanceName, type Units, unitLengthM } from './format.ts'
import type { Run, Shoe } from './types.ts'
import { Button } from './ui/button.tsx'
import { TERMS } from './words.ts'

/** Whole numbers of a run that are entered, in the order shown. */
const NUMBERS = {
  rpe: { label: 'RPE', suffix: ENTERED_RANGES.rpe.join('–') },
  avgHeartRateBpm: { label: TERMS.averageHr, suffix: 'bpm' },
  maxHeartRateBpm: { label: TERMS.maxHr, suffix: 'bpm' },
  avgCadenceSpm: { label: TERMS.cadence, suffix: 'spm' },
  calories: { label: TERMS.calories, suffix: 'kcal' },
  elevGainM: { label: TERMS.elevationGain, suffix: 'm' },
} as const

type RunNumber = keyof typeof NUMBERS

const TIME_FAULT = 'Enter a time like 45:00 or 1:02:30'

/** Why a text is not the value of its field; null: it is. */
export const RUN_RULES = {
  distanceM: (typed: string) => (metresOf(typed, 'metric') === null ? TERMS.enterNumber : null),
  durationS: (typed: string) => (secondsOf(typed) === null ? TIME_FAULT : null),
  movingTimeS: (typed: string) => (typed.trim() !== '' && secondsOf(typed) === null ? TIME_FAULT : null),
  rpe: ruleOf('rpe'),
  avgHeartRateBpm: ruleOf('avgHeartRateBpm'),
  maxHeartRateBpm: ruleOf('maxHeartRateBpm'),
  avgCadenceSpm: ruleOf('avgCadenceSpm'),
  calories: ruleOf('calories'),
  elevGainM: ruleOf('elevGainM'),
} as const

function ruleOf(name: RunNumber): (typed: string) => string | null {
  const [least, most] = ENTERED_RANGES[name]
  return (typed) => {
    const value = wholeOf(typed)
    return value === null || (value !== undefined && value >= least && value <= most)
      ? null
      : `Enter a whole number, ${least}–${most}`
  }
}

/** Label and unit of a number's field. */
export function numberField(name: RunNumber) {
  return { ...NUMBERS[name], inputMode: 'numeric' as const }
}

/** @returns null when it is not a distance */
export function metresOf(shown: string, units: Units): number | null {
  const value = Number(shown.trim().replace(',', '.'))
  return shown.trim() === '' || !(value > 0) ? null : Math.round(value * unitLengthM(units) * 100) / 100
}

/** Parses `mm:ss`, `h:mm:ss` or minutes to seconds; null when it is not a time. */
export function secondsOf(shown: string): number | null {
  const pieces = shown.trim().split(':')
  if (pieces.length > 3 || pieces.some((piece) => !/^\d{1,3}$/.test(piece))) return null
  const [last = 0, middle = 0, first = 0] = pieces.map(Number).reverse()
  if (pieces.length === 1) return last > 0 ? last * 60 : null
  const seconds = last + 60 * middle + 3600 * first
  return last < 60 && (pieces.length < 3 || middle < 60) && seconds > 0 ? seconds : null
}

/** Parses a whole number; null when empty, undefined when it is not a number. */
export function wholeOf(shown: string): number | null | undefined {
  if (shown.trim() === '') return null
  const value = Number(shown.trim())
  return Number.isInteger(value) && value >= 0 ? value : undefined
}

type Named = Pick<Shoe, 'id' | 'brand' | 'model'>

export function shoeName({ brand, model }: Named): string {
  return `${brand} ${model}`
}

/** Options of a select; shoes that are retired come last and say so. */
export function shoeOptions(shoes: readonly (Named & Partial<Pick<Shoe, 'retiredAt'>>)[]) {
  const options = shoes.map((shoe) => {
    const isRetired = (shoe.retiredAt ?? null) !== null
    return { isRetired, option: [shoe.id, `${shoeName(shoe)}${isRetired ? ' (retired)' : ''}`] as const }
  })
  return options.toSorted((a, b) => Number(a.isRetired) - Number(b.isRetired)).map(({ option }) => option)
}

/** The shoes that could be worn on a day: not those that were retired by then, except the chosen one. */
export function wearable(shoes: readonly Shoe[], day: string, chosenId: string | null = null): Shoe[] {
  return shoes.filter(({ id, retiredAt }) => retiredAt === null || retiredAt > day || id === chosenId)
}

/** The type that is suggested for a run without one, to be taken or refused with one tap. */
export function SuggestedType({ run }: { readonly run: Pick<Run, 'id' | 'runType' | 'suggestedRunType'> }) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  if (run.runType !== null || run.suggestedRunType === null) return null
  const { type } = run.suggestedRunType
  const reason = distanceName(run.suggestedRunType.reason)
  const choose = (runType: RunType | null) =>
    act(async () => {
      const receiptId = await api.change('PATCH', `/workouts/${run.id}`, { runType })
      toastDone(runType === null ? 'Left without a type' : `Set to ${runType}`, [receiptId])
    })
  return (
    <span class="suggested-type level" title={reason}>
      <Button
        kind="quiet"
        size="small"
        disabled={isBusy}
        aria-label={`Set to ${type}: ${reason}`}
        onClick={() => void choose(type)}
      >
        {type}?
      </Button>
      <Button
        kind="quiet"
        size="small"
        icon="close"
        disabled={isBusy}
        aria-label={`Not ${type}: leave without a type`}
        onClick={() => void choose(null)}
      />
    </span>
  )
}
