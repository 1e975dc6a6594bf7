import { PROFILE_RANGES } from '../../../engine/training/profile.ts'
import { duration, type Units, unitLengthM } from '../../format.ts'
import type { TrainingProfile } from '../../types.ts'
import { TERMS } from '../../words.ts'

type Entry = TrainingProfile['entries'][number]
export type EntryKey = Exclude<keyof Entry, 'from'>

/** An entry as typed. */
export type EntryDraft = Readonly<Record<keyof Entry, string>> & { readonly key: number }

export interface ProfileDraft {
  readonly sex: 'female' | 'male' | 'unsaid'
  readonly entries: readonly EntryDraft[]
  readonly fitnessDays: string
  readonly fatigueDays: string
  readonly fitnessSeed: string
  readonly referenceHeartRateBpm: string
  readonly minRunsPerWeek: string
  /** As typed, slowest first; null: derived from hard efforts. */
  readonly paceZoneBorders: readonly string[] | null
}

const KG_PER_POUND = 0.45359237
const CM_PER_INCH = 2.54
const PACE = /^(\d{1,2}):([0-5]\d)$/

interface EntryField {
  readonly label: string
  readonly unit: string
  /** Factor from the displayed unit to that of the service; null: a pace. */
  readonly size: number | null
}

/** The fields of an entry in the reader's units. */
export function entryFields(units: Units): Readonly<Record<EntryKey, EntryField>> {
  const isMetric = units === 'metric'
  const bpm = { unit: 'bpm', size: 1 }
  return {
    maxHeartRateBpm: { ...bpm, label: TERMS.maxHr },
    restingHeartRateBpm: { ...bpm, label: TERMS.restingHr },
    lthrBpm: { ...bpm, label: TERMS.lthr },
    thresholdPaceS: {
      label: TERMS.thresholdPace,
      unit: isMetric ? '/km' : '/mi',
      size: null,
    },
    massKg: { label: 'Weight', unit: isMetric ? 'kg' : 'lb', size: isMetric ? 1 : KG_PER_POUND },
    heightCm: { label: 'Height', unit: isMetric ? 'cm' : 'in', size: isMetric ? 1 : CM_PER_INCH },
  }
}

export function draftOf(stored: TrainingProfile, units: Units): ProfileDraft {
  const { sex, entries, fitnessDays, fatigueDays, fitnessSeed, referenceHeartRateBpm, minRunsPerWeek } = stored
  const first = entries.length === 0 ? [blankEntry(0, '')] : []
  return {
    sex: sex ?? 'unsaid',
    entries: [...first, ...entries.map((entry, key) => entryDraft(entry, key, units))],
    fitnessDays: String(fitnessDays),
    fatigueDays: String(fatigueDays),
    fitnessSeed: shown(fitnessSeed),
    referenceHeartRateBpm: shown(referenceHeartRateBpm),
    minRunsPerWeek: String(minRunsPerWeek),
    paceZoneBorders: stored.paceZoneBorders?.map((paceS) => paceShown(paceS, units)) ?? null,
  }
}

export function blankEntry(key: number, from: string): EntryDraft {
  const none = { maxHeartRateBpm: '', restingHeartRateBpm: '', lthrBpm: '', thresholdPaceS: '' }
  return { ...none, massKg: '', heightCm: '', from, key }
}

function entryDraft(entry: Entry, key: number, units: Units): EntryDraft {
  const names = Object.keys(entryFields(units)) as EntryKey[]
  const texts = names.map((name) => [name, textOf(entry, name, units)])
  return { ...blankEntry(key, entry.from ?? ''), ...Object.fromEntries(texts) }
}

function textOf(entry: Entry, name: EntryKey, units: Units): string {
  const value = entry[name]
  const { size } = entryFields(units)[name]
  if (value === null) return ''
  return size === null ? paceShown(value, units) : String(Math.round((10 * value) / size) / 10)
}

/** The error of a typed value; null: none, or empty. */
export function entryFault(name: EntryKey, value: string, units: Units): string | null {
  if (value.trim() === '') return null
  const { size, unit } = entryFields(units)[name]
  const [min, max] = PROFILE_RANGES[name]
  if (size === null) {
    const paceS = paceOf(value, units)
    if (paceS === null) return 'Enter minutes and seconds, like 4:30'
    return paceS < min || paceS > max ? `Enter ${paceShown(min, units)}–${paceShown(max, units)} ${unit}` : null
  }
  const number = numberOf(value)
  if (number === null || number * size < min - 0.05 || number * size > max + 0.05) {
    return `Enter ${Math.ceil(min / size)}–${Math.floor(max / size)} ${unit}`
  }
  return unit === 'bpm' && !Number.isInteger(number) ? TERMS.enterWholeNumber : null
}

/** Why the draft cannot be sent; null: it can. Consistency between fields is checked by the service. */
export function draftFault({ entries, paceZoneBorders }: ProfileDraft, units: Units): string | null {
  for (const entry of entries) {
    for (const name of Object.keys(entryFields(units)) as EntryKey[]) {
      if (entryFault(name, entry[name], units) !== null) return 'One of the values above is out of range'
    }
  }
  if (paceZoneBorders?.some((value) => paceOf(value, units) === null)) return 'Enter limits as paces, like 5:10'
  return null
}

/**
 * The request body. @param stored the settings that the draft was made from: an unchanged text keeps their exact value
 */
export function bodyOf(draft: ProfileDraft, stored: TrainingProfile, units: Units): object {
  const fields = entryFields(units)
  const value = (entry: EntryDraft, name: EntryKey) => {
    if (entry[name].trim() === '') return null
    const before = stored.entries[entry.key]
    if (before !== undefined && textOf(before, name, units) === entry[name]) return before[name]
    const { size } = fields[name]
    if (size === null) return paceOf(entry[name], units)
    const number = numberOf(entry[name])
    return number === null ? null : Math.round(10 * number * size) / 10
  }
  const entries = draft.entries.map((entry) => ({
    from: entry.from === '' ? null : entry.from,
    ...Object.fromEntries((Object.keys(fields) as EntryKey[]).map((name) => [name, value(entry, name)])),
  }))
  return {
    sex: draft.sex === 'unsaid' ? null : draft.sex,
    fitnessDays: numberOf(draft.fitnessDays) ?? 42,
    fatigueDays: numberOf(draft.fatigueDays) ?? 7,
    fitnessSeed: numberOf(draft.fitnessSeed),
    referenceHeartRateBpm: numberOf(draft.referenceHeartRateBpm),
    minRunsPerWeek: numberOf(draft.minRunsPerWeek) ?? 3,
    paceZoneBorders:
      draft.paceZoneBorders?.map((border, index) => {
        const before = stored.paceZoneBorders?.[index]
        return before !== undefined && paceShown(before, units) === border ? before : paceOf(border, units)
      }) ?? null,
    // entries without any value are dropped
    entries: entries.filter(({ from, ...said }) => Object.values(said).some((one) => one !== null)),
  }
}

/** Seconds per km from `4:30` per km or mile; null: it is not a pace. */
function paceOf(value: string, units: Units): number | null {
  const [, minutes, seconds] = PACE.exec(value.trim()) ?? []
  if (minutes === undefined) return null
  return Math.round((10_000 * (60 * Number(minutes) + Number(seconds))) / unitLengthM(units)) / 10
}

export function paceShown(paceS: number, units: Units): string {
  return duration((paceS * unitLengthM(units)) / 1000)
}

function numberOf(value: string): number | null {
  const number = Number(value.replace(',', '.'))
  return value.trim() === '' || !Number.isFinite(number) ? null : number
}

function shown(value: number | null): string {
  return value === null ? '' : String(value)
}
